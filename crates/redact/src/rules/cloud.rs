//! Clouds, secret stores, infrastructure.

use super::{Rule, rule};
use crate::value::{mixed, no_words, not_example};

pub(super) const RULES: &[Rule] = &[
    rule(
        "aws-access-key-id",
        &["AKIA", "ASIA", "ABIA", "ACCA", "A3T"],
        r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}",
        &["AKIA{A16}", "ASIA{A16}"],
        &["AKIAIOSFODNN7EXAMPLE", "the AKIA prefix"],
    )
    .check(not_example),
    rule(
        "aws-session-token",
        &["IQoJ", "FwoG", "FQoG"],
        r"(?:IQoJ|FwoG|FQoG)[A-Za-z0-9+/=%]{80,}",
        &["IQoJb3JpZ2lu{b300}"],
        &["IQoJ"],
    ),
    rule(
        "aws-model-key",
        &["ABSK", "bedrock-api-key-"],
        r"(?:ABSK[A-Za-z0-9+/=]{80,}|bedrock-api-key-[A-Za-z0-9+/=]{40,})",
        &["ABSK{b120}", "bedrock-api-key-{b80}"],
        &["ABSK"],
    ),
    rule(
        "aws-mws-key",
        &["amzn.mws."],
        r"amzn\.mws\.[\w-]{30,}",
        &["amzn.mws.{h8}-{h4}-{h4}-{h4}-{h12}"],
        &["amzn.mws."],
    ),
    rule(
        "aws-presigned-signature",
        &["X-Amz-Signature=", "X-Amz-Security-Token=", "X-Goog-Signature="],
        r"X-(?:Amz|Goog)-(?:Signature|Security-Token)=([\w%+/=.-]{16,})",
        &["X-Amz-Signature={h64}"],
        &["X-Amz-Signature="],
    ),
    rule("google-api-key", &["AIza"], r"AIza[\w-]{30,}", &["AIza{u35}"], &["AIza"]),
    rule(
        "google-oauth-access-token",
        &["ya29."],
        r"ya29\.[\w.-]{24,}",
        &["ya29.{u120}", "ya29.a0{u120}"],
        &["ya29."],
    ),
    rule("google-oauth-refresh-token", &["1//0"], r"1//0[\w-]{30,}", &["1//0{u60}"], &["1//0"]),
    rule("google-oauth-client-secret", &["GOCSPX-"], r"GOCSPX-[\w-]{20,}", &["GOCSPX-{u28}"], &["GOCSPX-"]),
    rule("azure-ad-client-secret", &["Q~"], r"[\w.]{3}\dQ~[\w.~-]{30,}", &["{w3}8Q~{w34}"], &["x~~~~Q~~~~~"])
        .near(4, 64)
        .check(no_words),
    rule(
        "azure-storage-key",
        &["AccountKey="],
        r"AccountKey=([A-Za-z0-9+/]{40,}={0,2})",
        &["AccountName=acme;AccountKey={b86}=="],
        &["AccountKey=X;"],
    ),
    rule(
        "azure-shared-access-key",
        &["SharedAccessKey="],
        r"SharedAccessKey=([A-Za-z0-9+/]{30,}={0,2})",
        &["SharedAccessKeyName=Root;SharedAccessKey={b43}="],
        &["SharedAccessKey=x"],
    ),
    rule(
        "azure-sas-signature",
        &["sig="],
        r"sig=([A-Za-z0-9%+/]{30,}(?:={1,2}|%3[Dd])*)",
        &["sv=2024-11-04&sig={w43}%3D"],
        &["sig=x"],
    )
    .check(no_words),
    rule(
        "azure-devops-token",
        &["AZDO"],
        r"[A-Za-z0-9]{70,}AZDO[A-Za-z0-9]{4}",
        &["{w76}AZDO{w4}"],
        &["AZDO"],
    )
    .near(90, 8),
    rule(
        "azure-app-configuration-secret",
        &["Secret="],
        r"Endpoint=[^;\s]{8,128};Id=[^;\s]{4,64};Secret=([A-Za-z0-9+/=]{30,})",
        &["Endpoint=https://x.azconfig.io;Id=ab-l9:{w7};Secret={b43}="],
        &["Secret=x"],
    )
    .near(240, 128),
    rule(
        "digitalocean-token",
        &["doo_v1_", "dop_v1_", "dor_v1_"],
        r"do[opr]_v1_[0-9a-f]{40,}",
        &["dop_v1_{h64}"],
        &["dop_v1_x"],
    ),
    rule("alibaba-access-key-id", &["LTAI"], r"LTAI[A-Za-z0-9]{12,}", &["LTAI5{w19}"], &["LTAI"])
        .check(no_words),
    rule("alibaba-sts-key", &["STS."], r"STS\.[A-Za-z0-9]{18,}", &["STS.NT{w22}"], &["STS.Token"])
        .check(mixed),
    rule(
        "cloudflare-origin-ca-key",
        &["v1.0-"],
        r"v1\.0-[0-9a-f]{16,}-[0-9a-f]{80,}",
        &["v1.0-{h24}-{h146}"],
        &["v1.0-rc1"],
    ),
    rule(
        "cloudflare-token",
        &["cfut_", "cfat_", "cfk_"],
        r"cf(?:ut|at|k)_[A-Za-z0-9_-]{40,}",
        &["cfut_{w48}"],
        &["cfk_x"],
    ),
    rule(
        "databricks-token",
        &["dapi"],
        r"dapi[0-9A-Fa-f]{32,}(?:-\d)?",
        &["dapi{h32}", "dapi{h32}-3"],
        &["dapi1234", "dapiDataGetTopLongShortPositionRatio"],
    ),
    rule(
        "vault-token",
        &["hvs.", "hvb.", "hvr."],
        r"hv[sbr]\.[\w-]{24,}",
        &["hvs.{u95}", "hvb.{u150}", "hvr.{u40}"],
        &["hvr.placeholder"],
    ),
    rule(
        "vault-legacy-token",
        &["s.CAES", "b.AAAA"],
        r"[sb]\.(?:CAES|AAAA)[\w-]{40,}",
        &["s.CAESI{u90}"],
        &["s.CAES"],
    ),
    rule("onepassword-service-token", &["ops_eyJ"], r"ops_eyJ[\w=-]{120,}", &["ops_eyJ{u250}"], &["ops_eyJ"]),
    rule(
        "onepassword-secret-key",
        &["A3-"],
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
        &["A3-{A6}-{A11}-{A5}-{A5}-{A5}", "A3-{A6}-{A6}-{A5}-{A5}-{A5}-{A5}"],
        &["A3-XXXXXX-XXXXXXXXXXX-XXXXX-XXXXX-XXXXX"],
    ),
    rule("scaleway-key", &["scw_"], r"scw_[\w-]{32,}", &["scw_{h36}"], &["scw_x"]).check(no_words),
    rule("upcloud-api-token", &["ucat_"], r"ucat_[A-Z0-9]{24,}", &["ucat_{A26}"], &["ucat_x"]),
    rule("exoscale-api-key", &["EXO"], r"EXO[0-9a-f]{20,}", &["EXO{h24}"], &["EXO"]),
    rule("scalingo-token", &["tk-us-"], r"tk-us-[\w-]{40,}", &["tk-us-{u48}"], &["tk-us-x"]),
    rule("openshift-token", &["sha256~"], r"sha256~[\w-]{40,}", &["sha256~{u43}"], &["sha256~x"]),
    rule(
        "akamai-credentials",
        &["akab-"],
        r"akab-[a-z0-9]{16}-[a-z0-9]{16}",
        &["akab-{a16}-{a16}"],
        &["akab-x"],
    ),
    rule(
        "defined-networking-key",
        &["dnkey-"],
        r"dnkey-[A-Za-z0-9=_-]{40,}",
        &["dnkey-{A26}-{A52}"],
        &["dnkey-x"],
    ),
    rule("confluent-key", &["ccloud_"], r"ccloud_[\w-]{32,}", &["ccloud_{w40}"], &["ccloud_x"]).check(mixed),
    rule(
        "kubernetes-bootstrap-token",
        &["--token "],
        r"--token ([a-z0-9]{6}\.[a-z0-9]{16})",
        &["kubeadm join --token {a6}.{a16}"],
        &["--token x"],
    ),
    rule(
        "yandex-cloud-key",
        &["AQVN", "YCAJ", "YCI", "t1."],
        r"(?:AQVN[\w-]{30,}|YC[AI][\w-]{30,}|t1\.[A-Z0-9a-z_-]{20,}\.[\w-]{40,})",
        &["AQVN{u36}"],
        &["YCI"],
    )
    .check(mixed),
    rule("ngrok-key", &["cr_", "ak_"], r"(?:cr|ak)_[A-Za-z0-9]{30,}", &["cr_{w40}"], &["ak_x"]).check(mixed),
    rule("zuplo-key", &["zpka_"], r"zpka_[0-9a-z]{24,}(?:_[0-9a-z]+)?", &["zpka_{h32}_{h8}"], &["zpka_x"]),
    rule("unkey-root-key", &["unkey_"], r"unkey_[A-Za-z0-9]{20,}", &["unkey_{w24}"], &["unkey_x"]),
    rule("canva-secret", &["cnvca"], r"cnvca[\w-]{40,}", &["cnvca{u52}"], &["cnvca"]),
    rule("datastax-token", &["AstraCS:"], r"AstraCS:[\w:-]{36,}", &["AstraCS:{a40}"], &["AstraCS:"]),
];
