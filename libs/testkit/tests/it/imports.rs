//! What the files of a crate import from each other. A path counts for the file that declares what it names, whichever
//! `mod.rs` it is re-exported by. Tests may import anything.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The path of a module below the root of its crate.
pub type Module = Vec<String>;

/// A file: what it passes on from others, by name, the paths that it uses, and whether it is filled in by the build, whose
/// code is called by what it calls.
#[derive(Default)]
struct Source {
    passed_on: BTreeMap<String, Module>,
    used: Vec<Module>,
    is_generated: bool,
}

/// Each file of a crate, and those that it imports.
pub type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The folders of all crates.
pub fn crates() -> impl Iterator<Item = PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let several = ["libs", "services"].map(|folder| children(&root.join(folder)));
    several.into_iter().flatten().chain([root.join("proto")])
}

/// What the files below a folder import from each other.
pub fn imports(src: &Path) -> Imports {
    let mut files = BTreeMap::new();
    read_folder(src, &mut Vec::new(), &mut files);
    let of = |module: &Module, file: &Source| {
        let imported = file.used.iter().filter_map(|path| resolve(module, path, &files, 0));
        imported.filter(|to| to != module && files.get(to).is_some_and(|file| !file.is_generated)).collect()
    };
    files.iter().map(|(module, file)| (module.clone(), of(module, file))).collect()
}

/// Everything that is reached from a place, step by step.
pub fn reach<Place: Clone + Ord>(from: &Place, imports: &BTreeMap<Place, BTreeSet<Place>>) -> BTreeSet<Place> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(place) = next.pop() {
        let imported = imports.get(&place).into_iter().flatten().cloned();
        next.extend(imported.filter(|to| reached.insert(to.clone())));
    }
    reached
}

/// The file that a path leads to; none when it leads out of the crate.
fn resolve(module: &Module, path: &[String], files: &BTreeMap<Module, Source>, depth: usize) -> Option<Module> {
    let mut at = module.clone();
    for (index, segment) in path.iter().enumerate() {
        match segment.as_str() {
            "crate" if index == 0 => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            name => {
                at.push(name.to_owned());
                if files.contains_key(&at) {
                    continue;
                }
                at.pop();
                return match files.get(&at)?.passed_on.get(name) {
                    Some(from) if depth < 8 => {
                        let target = [from, &path[index + 1..]].concat();
                        resolve(&at, &target, files, depth + 1)
                    }
                    _ if index == 0 => None,
                    _ => Some(at),
                };
            }
        }
    }
    Some(at)
}

fn read_folder(folder: &Path, module: &mut Module, files: &mut BTreeMap<Module, Source>) {
    for path in children(folder) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("text").to_owned();
        let is_own = ["mod", "lib", "main"].contains(&stem.as_str());
        if !is_own {
            module.push(stem.clone());
        }
        if path.is_dir() {
            read_folder(&path, module, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut source = Source::default();
            if !stem.ends_with("tests") {
                let text = fs::read_to_string(&path).expect("it can be read");
                read_tokens(text.parse().expect("it is Rust"), 0, &mut source);
            }
            files.insert(module.clone(), source);
        }
        if !is_own {
            module.pop();
        }
    }
}

/// What is in a folder.
pub fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// Reads what stands in a file, or in a module within it; `depth` says how many of these there are around it.
fn read_tokens(tokens: TokenStream, depth: usize, source: &mut Source) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let text = |at: usize| tokens.get(at).map(ToString::to_string).unwrap_or_default();
    let is_path = |at: usize| text(at) == ":" && text(at + 1) == ":" && text(at + 2) != "<";
    let mut at = 0;
    let mut is_public = false;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Group(_) if text(at) == "[cfg (test)]" => {
                while at < tokens.len() && text(at) != ";" && !text(at).starts_with('{') {
                    at += 1;
                }
            }
            TokenTree::Group(group) if !is_public || group.delimiter() != Delimiter::Parenthesis => {
                let is_module = at > 1 && text(at - 2) == "mod" && group.delimiter() == Delimiter::Brace;
                read_tokens(group.stream(), depth + usize::from(is_module), source);
                is_public = false;
            }
            TokenTree::Ident(word) if *word == "pub" => is_public = true,
            TokenTree::Ident(word) if *word == "use" && is_public => {
                let mut paths = Vec::new();
                at = read_path(&tokens, at + 1, &[], &mut paths);
                let paths = paths.into_iter().map(|(name, path)| (name, in_file(path, depth)));
                source.passed_on.extend(paths.filter_map(|(name, path)| Some((name?, path))));
                is_public = false;
            }
            TokenTree::Ident(_) if is_path(at + 1) && text(at.wrapping_sub(1)) != "$" => {
                let mut paths = Vec::new();
                at = read_path(&tokens, at, &[], &mut paths);
                if text(at) != "!" {
                    source.used.extend(paths.into_iter().map(|(_, path)| in_file(path, depth)));
                }
                continue;
            }
            TokenTree::Ident(word) => {
                source.is_generated |= *word == "include";
                is_public = false;
            }
            _ => {}
        }
        at += 1;
    }
}

/// A path as it is seen from the file, of a module within it.
fn in_file(path: Module, depth: usize) -> Module {
    let within = path.iter().take_while(|segment| *segment == "super").count().min(depth);
    path.into_iter().skip(within).collect()
}

/// Reads a path, or all of a tree of them, each with the name that it gets; returns where it ends.
fn read_path(
    tokens: &[TokenTree],
    mut at: usize,
    before: &[String],
    paths: &mut Vec<(Option<String>, Module)>,
) -> usize {
    let text = |at: usize| tokens.get(at).map(ToString::to_string).unwrap_or_default();
    let mut path = before.to_vec();
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(word)) => path.push(word.to_string()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut next = 0;
                while next < inner.len() {
                    next = read_path(&inner, next, &path, paths) + 1;
                }
                return at + 1;
            }
            _ => return at + 1,
        }
        at += 1;
        if text(at) == ":" && text(at + 1) == ":" && text(at + 2) != "<" {
            at += 2;
            continue;
        }
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        let mut name = path.last().cloned();
        if text(at) == "as" {
            name = Some(text(at + 1));
            at += 2;
        }
        paths.push((name, path));
        return at;
    }
}
