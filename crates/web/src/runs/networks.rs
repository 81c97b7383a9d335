//! The networks that runs have kept.

use std::fs;
use std::path::{Path, PathBuf};

use super::detail::NetworkFile;

/// The networks of a run: those of steps in their order, then the last one of each side.
pub(super) fn network_files(folder: &Path) -> Vec<(NetworkFile, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let network = |entry: fs::DirEntry| {
        let file = entry.file_name().into_string().ok()?;
        let name = file.strip_suffix(".safetensors")?;
        let rest = name.strip_prefix("network")?;
        let step = rest
            .strip_prefix('-')
            .map(|rest| rest.split('-').next().unwrap_or(rest));
        let step = step.and_then(|digits| digits.parse::<u64>().ok());
        let title = match (step, rest) {
            (Some(step), _) => format!("step {step}"),
            (None, "") => "last".to_owned(),
            (None, side) => format!("last, {}", side.trim_start_matches('-')),
        };
        let network = NetworkFile {
            name: name.to_owned(),
            title,
            step,
        };
        Some((network, entry.path()))
    };
    let mut networks: Vec<(NetworkFile, PathBuf)> = entries.filter_map(network).collect();
    networks.sort_by_key(|(network, _)| (network.step.unwrap_or(u64::MAX), network.name.clone()));
    networks
}
