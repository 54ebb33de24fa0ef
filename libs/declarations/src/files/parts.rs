//! The parts of a file that are made: what stands between two lines of it.

/// What begins a part, before its name.
const BEGIN: &str = "made of the declarations: ";
/// What ends it.
const END: &str = "end of what is made";

/// A file with these parts, by name. Fails with the name of one that it has no place for.
pub fn put_in(text: &str, parts: &[(&'static str, String)]) -> Result<String, String> {
    let mut found = Vec::new();
    let mut result = String::new();
    let mut within = false;
    for line in text.split_inclusive('\n') {
        if let Some((_, name)) = line.split_once(BEGIN) {
            let name = name.split([' ', '\n']).next().unwrap_or_default().trim_end_matches(['.', ':']);
            let part = parts.iter().find(|(part, _)| *part == name).ok_or_else(|| name.to_owned())?;
            found.push(part.0);
            result += line;
            result += &part.1;
            within = true;
        } else if line.contains(END) {
            within = false;
            result += line;
        } else if !within {
            result += line;
        }
    }
    match parts.iter().find(|(name, _)| !found.contains(name)) {
        Some((name, _)) => Err((*name).to_owned()),
        None if within => Err("the last one".to_owned()),
        None => Ok(result),
    }
}
