//! Expands the templates of the table: `{w36}` becomes 36 characters of a class, the same for the same seed.

/// A generator that needs no more than to be even and repeatable (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

fn class(name: char) -> Option<&'static str> {
    Some(match name {
        'w' => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        'a' => "abcdefghijklmnopqrstuvwxyz0123456789",
        'A' => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        'h' => "0123456789abcdef",
        'H' => "0123456789ABCDEF",
        'l' => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        'd' => "0123456789",
        'b' => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        'u' => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
        _ => return None,
    })
}

/// An expanded template: the text, and its random parts of eight characters and more.
pub(crate) struct Example {
    pub(crate) text: String,
    pub(crate) parts: Vec<String>,
}

impl Example {
    /// Whether eight characters of a random part are still there.
    pub(crate) fn shows_in(&self, out: &str) -> bool {
        self.parts.iter().any(|part| {
            part.as_bytes().windows(8).any(|w| std::str::from_utf8(w).is_ok_and(|w| out.contains(w)))
        })
    }
}

/// Expands a template.
pub(crate) fn expand(template: &str, seed: u64) -> Example {
    let mut random = Random(seed);
    let mut example = Example { text: String::new(), parts: Vec::new() };
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        example.text.push_str(before);
        let known = after[1..].find('}').and_then(|close| {
            let inside = &after[1..=close];
            let mut chars = inside.chars();
            let alphabet = class(chars.next()?)?;
            Some((alphabet, chars.as_str().parse::<usize>().ok()?, close + 2))
        });
        match known {
            Some((alphabet, count, len)) => {
                let part: String = (0..count)
                    .map(|_| char::from(alphabet.as_bytes()[random.below(alphabet.len())]))
                    .collect();
                example.text.push_str(&part);
                if count >= 8 {
                    example.parts.push(part);
                }
                rest = &after[len..];
            }
            None => {
                example.text.push('{');
                rest = &after[1..];
            }
        }
    }
    example.text.push_str(rest);
    example
}
