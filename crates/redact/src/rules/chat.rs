//! Chat, messaging, telephony, and their webhooks.

use super::{Rule, rule};
use crate::value::{mixed, no_words};

pub(super) const RULES: &[Rule] = &[
    rule(
        "slack-token",
        &["xoxa-", "xoxb-", "xoxc-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
        r"xox[abceoprs]-[\w-]{10,}",
        &["xoxb-{d12}-{d12}-{w24}", "xoxp-{d12}-{d12}-{d12}-{h32}", "xoxe-1-{w146}"],
        &["xoxb-", "xoxe-1-xxx"],
    )
    .check(no_words),
    rule(
        "slack-config-token",
        &["xoxe.xox"],
        r"xoxe\.xox[bp]-\d-[\w-]{20,}",
        &["xoxe.xoxp-1-{w166}"],
        &["xoxe.xoxp-1-initial"],
    )
    .check(no_words),
    rule("slack-session-cookie", &["xoxd-"], r"xoxd-[\w%+/=-]{30,}", &["xoxd-{b120}"], &["xoxd-x"]),
    rule("slack-app-token", &["xapp-"], r"xapp-[\w/+-]{24,}", &["xapp-1-A{A10}-{d13}-{h64}"], &["xapp-x"])
        .check(no_words),
    rule(
        "slack-webhook",
        &["hooks.slack.com/"],
        r"(?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,}",
        &["https://hooks.slack.com/services/T{A10}/B{A10}/{w24}"],
        &["https://hooks.slack.com/services/"],
    )
    .near(10, 160),
    rule(
        "discord-bot-token",
        &[],
        r"[A-Z][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}",
        &["MT{w22}.{u6}.{u38}"],
        &["Module.submod.function"],
    )
    .run()
    .check(mixed),
    rule(
        "discord-webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        r"(?:https?://)?(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{10,}/[\w-]{40,}",
        &["https://discord.com/api/webhooks/{d18}/{u68}"],
        &["discord.com/api/webhooks/"],
    )
    .near(20, 160),
    rule(
        "telegram-bot-token",
        &[":A"],
        r"(?:bot)?\d{8,16}:A[\w-]{32,}",
        &["{d9}:AA{u33}", "bot{d10}:AA{u33}"],
        &["12:AM"],
    )
    .near(20, 48),
    rule(
        "teams-webhook-key",
        &["IncomingWebhook/"],
        r"IncomingWebhook/([0-9a-f]{32}/[0-9a-f-]{36})",
        &["IncomingWebhook/{h32}/{h8}-{h4}-{h4}-{h4}-{h12}"],
        &["IncomingWebhook/"],
    )
    .near(0, 100)
    .kind("teams-webhook"),
    rule("twilio-api-key", &["SK"], r"SK[0-9A-Fa-f]{32}\b", &["SK{h32}"], &["SKU"]).check(no_words),
    rule("twitch-stream-key", &["live_"], r"live_\d{6,}_[A-Za-z0-9]{24,}", &["live_{d9}_{w30}"], &["live_x"]),
    rule("webhook-secret", &["whsec_"], r"whsec_[A-Za-z0-9+/=]{24,}", &["whsec_{w32}"], &["whsec_x"]),
    rule(
        "webhook-site-google",
        &["chat.googleapis.com/v1/spaces/"],
        r"spaces/[\w-]+/messages\?(key=[\w-]{20,}&token=[\w%-]{20,})",
        &["https://chat.googleapis.com/v1/spaces/AAAA/messages?key={u39}&token={u43}"],
        &["chat.googleapis.com/v1/spaces/x"],
    )
    .near(0, 240)
    .kind("google-chat-webhook"),
];
