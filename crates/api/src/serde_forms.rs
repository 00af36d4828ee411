//! How values stand in JSON where that is not what their types say.

use serde::{Deserialize, Deserializer};

/// Reads `null` as the default: models write out fields that they do not mean.
pub(crate) fn null_is_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    from: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(from).map(Option::unwrap_or_default)
}

/// The schema of a role.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "lowercase", inline)]
#[expect(dead_code, reason = "describes a type of another crate")]
pub(crate) enum RoleForm {
    User,
    Assistant,
}

/// The schema of an order.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "lowercase", inline)]
#[expect(dead_code, reason = "describes a type of another crate")]
pub(crate) enum OrderForm {
    Relevance,
    Recent,
}

/// The schema of the two halves of a tool's use.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "lowercase", inline)]
#[expect(dead_code, reason = "describes a type of another crate")]
pub(crate) enum ToolKindForm {
    Call,
    Result,
}
