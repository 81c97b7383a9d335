//! Networks as files: safetensors, with the whole configuration as metadata.
//!
//! A tensor per layer, `hidden.0.weight` and so on, with a row per input and the bias node as the
//! last row, and `output.weight`. The one entry `upstar` of the metadata holds shape, version and a
//! checksum of everything else, as JSON.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde::{Deserialize, Serialize};
use upstar_games::{Board, Graph, Setup};
use upstar_runs::fnv1a;

use crate::network::Network;
use crate::shape::Shape;

const VERSION: u32 = 1;
const ENTRY: &str = "upstar";
/// The most bytes of a file.
const MOST_BYTES: u64 = 1 << 30;

#[derive(Serialize, Deserialize)]
struct Metadata {
    format: u32,
    shape: Shape,
    /// The graph that it is made for, as the text of an empty position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    graph: Option<String>,
    checksum: String,
}

impl Network {
    /// The network as the bytes of a file. The same network gives the same bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let tensors = self.tensors();
        let empty = |graph: &Graph| Setup::new(graph.clone()).to_string();
        let graph = self.graph().map(empty);
        let metadata = Metadata {
            format: VERSION,
            shape: self.shape().clone(),
            checksum: checksum_with(
                self.shape(),
                graph.as_ref(),
                tensors.iter().map(|tensor| &*tensor.bytes),
            ),
            graph,
        };
        let metadata = serde_json::to_string(&metadata).expect("a shape is plain data");
        let views = tensors.iter().map(|tensor| {
            let view = TensorView::new(Dtype::F32, tensor.dimensions.clone(), &tensor.bytes);
            (&tensor.name, view.expect("the dimensions fit"))
        });
        let metadata = [(ENTRY.to_owned(), metadata)].into();
        safetensors::serialize(views, Some(metadata)).expect("the views are sound")
    }

    /// Reads what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// If these are not the bytes of a whole, undamaged network of this version with finite weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let foreign = |_| FileError::Foreign;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(foreign)?;
        let entry = header.metadata().as_ref().and_then(|map| map.get(ENTRY));
        let entry = entry.ok_or(FileError::Foreign)?;
        let value: serde_json::Value =
            serde_json::from_str(entry).map_err(|_| FileError::Damaged)?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(version) if version != u64::from(VERSION) => {
                return Err(FileError::Version(version));
            }
            _ => {}
        }
        let metadata: Metadata = serde_json::from_value(value).map_err(|_| FileError::Damaged)?;
        let file = SafeTensors::deserialize(bytes).map_err(|_| FileError::Damaged)?;
        // The weights must be there before memory is taken for them.
        let expected = dimensions(&metadata.shape);
        if file.len() != expected.len() {
            return Err(FileError::Damaged);
        }
        let mut read = Vec::new();
        for (name, dimensions) in expected {
            let view = file.tensor(&name).map_err(|_| FileError::Damaged)?;
            if view.dtype() != Dtype::F32 || view.shape() != dimensions {
                return Err(FileError::Damaged);
            }
            read.push(view.data());
        }
        let Metadata { shape, graph, .. } = metadata;
        if checksum_with(&shape, graph.as_ref(), read.iter().copied()) != metadata.checksum {
            return Err(FileError::Damaged);
        }
        let graph = graph.map(|text| graph_of(&text, &shape)).transpose()?;
        let mut network = Self::zero(shape);
        if let Some(graph) = graph {
            network = network.for_graph(graph);
        }
        network.set_tensors(&read);
        if !network.is_finite() {
            return Err(FileError::NotFinite);
        }
        if !network.layout().are_tied(&network.weights) {
            return Err(FileError::Damaged);
        }
        Ok(network)
    }

    /// Writes the network to a file: to a temporary name first, which then takes its place, so that
    /// there is never half a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        upstar_runs::write(path, self.to_bytes())
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not a whole, undamaged network of this version.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        Self::from_bytes(&read_whole(path)?)
    }

    fn tensors(&self) -> Vec<Tensor> {
        let layout = self.layout();
        let bytes = |numbers: &mut dyn Iterator<Item = f32>| -> Vec<u8> {
            numbers.flat_map(f32::to_le_bytes).collect()
        };
        let mut numbers = Vec::new();
        for layer in &layout.layers {
            let rows =
                (0..=layer.inputs).flat_map(|input| &self.weights[layer.row(input)][..layer.nodes]);
            numbers.push(bytes(&mut rows.copied()));
        }
        let nodes = layout.layers.last().map_or(0, |layer| layer.nodes);
        let weights = &self.weights[layout.output.clone()][..nodes];
        let bias = self.weights[layout.output_bias()];
        numbers.push(bytes(&mut weights.iter().copied().chain([bias])));
        let tensors = dimensions(self.shape()).into_iter().zip(numbers);
        tensors
            .map(|((name, dimensions), bytes)| Tensor {
                name,
                dimensions,
                bytes,
            })
            .collect()
    }

    /// Sets all weights from bytes in the order and of the sizes of `tensors`.
    fn set_tensors(&mut self, tensors: &[&[u8]]) {
        let layout = self.layout().clone();
        let (output, hidden) = tensors.split_last().expect("there is an output");
        let number = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
        for (layer, bytes) in layout.layers.iter().zip(hidden) {
            let mut numbers = bytes.as_chunks().0.iter().map(number);
            for input in 0..=layer.inputs {
                for weight in &mut self.weights[layer.row(input)][..layer.nodes] {
                    *weight = numbers.next().expect("the size was checked");
                }
            }
        }
        let mut numbers = output.as_chunks().0.iter().map(number);
        let nodes = layout.layers.last().map_or(0, |layer| layer.nodes);
        for weight in &mut self.weights[layout.output.clone()][..nodes] {
            *weight = numbers.next().expect("the size was checked");
        }
        self.weights[layout.output_bias()] = numbers.next().expect("the size was checked");
    }
}

/// The names and dimensions of a shape's tensors.
fn dimensions(shape: &Shape) -> Vec<(String, Vec<usize>)> {
    let mut inputs = shape.inputs();
    let mut tensors = Vec::new();
    for (index, nodes) in shape.widths().enumerate() {
        tensors.push((format!("hidden.{index}.weight"), vec![inputs + 1, nodes]));
        inputs = nodes;
    }
    tensors.push(("output.weight".to_owned(), vec![inputs + 1, 1]));
    tensors
}

struct Tensor {
    name: String,
    dimensions: Vec<usize>,
    bytes: Vec<u8>,
}

/// Reads a file that may hold a network.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>, FileError> {
    let about = fs::metadata(path).map_err(FileError::Io)?;
    if about.is_dir() {
        return Err(FileError::Folder(path.to_owned()));
    }
    // Neither a device or a pipe, which may never end, nor a file that no network could fill.
    if !about.is_file() || about.len() > MOST_BYTES {
        return Err(FileError::Foreign);
    }
    let file = File::open(path).map_err(FileError::Io)?;
    let mut bytes = Vec::with_capacity(about.len() as usize);
    let read = file.take(about.len()).read_to_end(&mut bytes);
    read.map_err(FileError::Io)?;
    Ok(bytes)
}

/// The graph of this text, if it fits the shape.
fn graph_of(text: &str, shape: &Shape) -> Result<Graph, FileError> {
    let setup = Setup::from_graph_text(text).map_err(|_| FileError::Damaged)?;
    let size = (shape.grid.rows(), shape.grid.cols());
    match setup.board {
        Board::Graph(graph) if size == (1, graph.len()) && shape.encoder.sees_graphs() => Ok(graph),
        _ => Err(FileError::Damaged),
    }
}

/// Of shape, graph and weights.
fn checksum_with<'a>(
    shape: &Shape,
    graph: Option<&String>,
    tensors: impl Iterator<Item = &'a [u8]>,
) -> String {
    match graph {
        None => checksum(shape, tensors),
        Some(graph) => checksum(&(shape, graph), tensors),
    }
}

/// Of a description and the weights.
pub(crate) fn checksum<'a>(
    what: &impl Serialize,
    tensors: impl Iterator<Item = &'a [u8]>,
) -> String {
    let what = serde_json::to_string(what).expect("a description is plain data");
    let bytes = what.bytes().chain(tensors.flatten().copied());
    format!("{:016x}", fnv1a(bytes.map(u64::from)))
}

/// Why a file cannot be read as a network.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error(transparent)]
    Io(io::Error),
    /// It is a folder.
    #[error(
        "this is a folder; the network of a run is {}",
        .0.join("network.safetensors").display()
    )]
    Folder(PathBuf),
    /// It is something else, or cut off.
    #[error("this is not a network of Upstar, or only a part of one")]
    Foreign,
    /// It is a network of another version of this program.
    #[error("this network has format {0}, and this program reads format {VERSION}")]
    Version(u64),
    /// It was a network.
    #[error("this network is damaged")]
    Damaged,
    /// It has weights that are not numbers, or are infinite, or variances below zero.
    #[error("this network has weights that are not finite numbers")]
    NotFinite,
}

#[cfg(test)]
mod tests {
    use upstar_games::{Random, Variant};

    use super::*;
    use crate::{Activation, Encoder, Initial};

    fn shape(hidden: Vec<usize>) -> Shape {
        Shape {
            game: Variant::Clobber,
            grid: "4x4".parse().unwrap(),
            encoder: Encoder::Leiden2018,
            convolutions: Vec::new(),
            hidden,
            activation: Activation::Relu,
            output: Activation::Tanh,
        }
    }

    #[test]
    fn weights_that_are_not_finite_are_refused() {
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut network = Network::new(shape(vec![5]), Initial::Scaled, &mut Random::new(1));
            network.weights[3] = wrong;
            let read = Network::from_bytes(&network.to_bytes());
            assert!(matches!(read, Err(FileError::NotFinite)), "{wrong}");
        }
    }

    /// Such a file once took gigabytes and many seconds before it was refused.
    #[test]
    fn a_header_without_weights_takes_no_memory() {
        let metadata = Metadata {
            format: VERSION,
            shape: shape(vec![crate::MOST_NODES; crate::MOST_LAYERS]),
            graph: None,
            checksum: String::new(),
        };
        let metadata = serde_json::to_string(&metadata).unwrap();
        let metadata = Some([(ENTRY.to_owned(), metadata)].into());
        let none: [(&str, TensorView<'_>); 0] = [];
        let bytes = safetensors::serialize(none, metadata).unwrap();
        assert!(bytes.len() < 1000);
        let begun = std::time::Instant::now();
        for _ in 0..100 {
            assert!(matches!(
                Network::from_bytes(&bytes),
                Err(FileError::Damaged)
            ));
        }
        assert!(begun.elapsed().as_secs_f64() < 2.0);
    }
}
