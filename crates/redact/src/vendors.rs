//! Names of services. Beside one of them a value that looks generated is a key, whatever else the line says.

/// Lower case; words that prose uses for other things need a closer look and are not here.
pub(crate) const NAMES: &str = "
    abuseipdb accuweather adobeio aeroworkflow airbrake airship airtable alconost algolia alibaba
    allsports amadeus amplitude anypoint apacta api2cart apideck apiflash apify apimatic apimetrics
    apitemplate appcues appfollow appointedd appsynergy artifactory asana assemblyai auth0 autodesk
    autopilot avazapersonal axonaut aylien ayrshare bannerbear baremetrics beebole besnappy besttime
    billomat bitbar bitbucket bitcoinaverage bitfinex bitly bittrex blazemeter blocknative bombbomb
    boostnote borgbase braintree brandfetch browserstack buddyns bugherd bugsnag bulbul bulksms
    calendly calorieninja campayn capsulecrm caspio censys centralstationcrm cexio chartmogul
    checkly checkvist cicero circleci clearbit clickhelp clickup cliengo clinchpad clockify
    clockwork cloudconvert cloudelements cloudflare cloudimage cloudinary cloudmersive cloudplan
    cloudsight cloudsmith cloverly cloze clustdoc codacy codecov codemagic codequiry cohere coinapi
    coinbase coinlayer coinlib coinmarketcap collect2 commercejs companyhub confluent contentful
    conversiontools convertkit countrylayer coveralls craftmypdf currencycloud currencyfreaks
    currencylayer currencyscoop currentsapi customerguru customerio d7network dailyco dandelion
    databricks datadog datagov debounce deepai deepgram deepl delighted demio detectify
    detectlanguage dfuse diffbot diggernaut digitalocean discord disqus dnscheck documo docusign
    doppler dotdigital dropbox duply dwolla dynalist dyspatch eagleeye easyinsight edamam edenai
    eightxeight elasticemail elevenlabs enablex endorlabs etherscan eventbrite everhour exchangerate
    exportsdk extractorapi faceplusplus fastforex fastly fetchrss fibery fileio
    financialmodelingprep findl finnhub firebase fixerio flatio fleetbase flickr flightapi
    flightlabs flightstats flowflu flutterwave formbucket formcraft formio formsite foursquare
    freshbooks freshdesk fulcrum fullstory fxmarket geckoboard gengo geoapify geocode geocodify
    geocodio geoipifi getemail getgeoapi getresponse getsandbox gitter glassnode gocardless goodday
    grafana graphcms graphhopper greptile groovehq gtmetrix gumroad gyazo happyscribe hashnode
    heatmapapi hellosign helpcrunch helpscout heroku hiveage holidayapi honeybadger honeycomb
    hubspot hunterio hypertrack ibmcloud iconfinder imagekit imagga infracost infura insightly instabot
    instamojo instatus intercom interseller invoiceocean ip2location ipapi ipgeolocation ipifi ipify
    ipinfo ipquality ipstack jotform jumpcloud jumpseller kairos karmacrm keenio kickbox klaviyo
    klipfolio knapsackpro kontent kraken kucoin kylas languagelayer lastfm launchdarkly leadfeeder
    lemlist lemonsqueezy lendflow lessannoyingcrm lexigram linearapi linemessaging linenotify
    liveagent livechat locationiq logdna loggly loginradius logzio loyverse lunchmoney magicbell
    mailboxlayer mailchimp mailerlite mailgun mailjet mailmodo mailsac mandrill mapbox mapquest
    marketstack mediastack meistertask mesibo messagebird metaapi metrilo midtrans mindmeister
    mistral mixmax mixpanel mockaroo monkeylearn moonclerk moosend moralis mrticktock myfreshworks
    myintervals nethunt netlify neutrinoapi newrelic newsapi newscatcher nftport ngrok nicereply
    nimble nozbe numverify nutritionix nylas oanda okta omnisend onedesk onelogin onepagecrm onfleet
    oopspam opencage opendns opengraphr openuv openweather opsgenie optidash optimizely overloop
    owlbot packagecloud pagerduty pandadoc pandascore paperform papertrail paralleldots parsehub
    parseur partnerstack passbase pastebin paymoapp paymongo paystack pdflayer pdfshift
    peopledatalabs pepipost phantombuster photoroom pinecone pipedream pipedrive pivotaltracker
    pixabay plaid planviewleankit planyo plivo podio pollsapi polygonio positionstack postageapi
    postbacks posthog postmark powrbot prefect prodpad prospectcrm protocolsio proxycrawl pubnub
    purestake pushbullet pushover qualaroo qubole quickbooks rapidapi razorpay reachmail rebrandly
    redbooth refiner rentman replyio requestfinance restpack revampcrm ringcentral ritekit
    rocketreach rollbar roninapp route4me runrunit salesblink salescookie salesflare salesforce
    salesmate satismeter sauce_labs saucelabs scalewaykey scalyr scrapeowl scraperapi scrapersite
    scrapestack scrapfly scrapingant screenshotlayer scrutinizer securitytrails selectpdf semaphore
    sendbird sendbirdorg sendgrid sendinblue sevenrooms sheety sherpadesk shipday shippo shodan
    shopify shotstack shutterstock signable signalwire signaturit signupgenius sigopt simfin
    simplesat simplynoted simvoly siteleaf skrapp skybiometry smartling smartsheets smartystreets
    smooch snipcart snyk sonarcloud sourcegraph speechtext splunk spoonacular sportradar sportsmonk
    squarespace sslmate statuscake statuspage statuspal stitchdata stockdata stormboard stormglass
    storyblok storychief strava stripe stytch sugester sumologic supabase supernotes surveymonkey
    survicate swiftype tallyfy tatum taxjar teamgate teamwork technicalanalysisapi telegram telnyx
    textmagic theoddsapi thinkific thousandeyes ticketmaster tiingo timecamp timezoneapi
    tineswebhook tmetric todoist toggl tokeet tomorrowio tomtom tradier transferwise travelpayouts
    travisci trello twelvedata twilio twitch tyntec typeform uclassify unifyid unplugg unsplash
    upcdatabase uplead upstash uptimekuma uptimerobot upwave urlscan userflow userstack vagrantcloud
    vatlayer vbout verimail veriphone versioneye viewneo vimeo virustotal visualcrossing voicegain
    voodoosms vouchery vpnapi vultr wakatime walkscore wandb weatherbit weatherstack webflow
    webscraper webscraping websitepulse wepay whoxy wistia woosender worksnaps workstack wrike
    youneedabudget yousign zapier zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce
    zerotier zipapi zipbooks zipcodebase zonka
";
