//! Networks as files: safetensors, with the whole configuration as metadata.
//!
//! A tensor per layer, `hidden.0.weight` and so on, with a row per input and the bias node as the
//! last row, and `output.weight`. The one entry `upstar` of the metadata holds shape, version and a
//! checksum of everything else, as JSON.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde::{Deserialize, Serialize};
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
    checksum: String,
}

impl Network {
    /// The network as the bytes of a file. The same network gives the same bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let tensors = self.tensors();
        let metadata = Metadata {
            format: VERSION,
            shape: self.shape().clone(),
            checksum: checksum(self.shape(), tensors.iter().map(|tensor| &*tensor.bytes)),
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
    /// If these are not the bytes of a whole, undamaged network of this version.
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
        let mut network = Self::zero(metadata.shape);
        let expected = network.tensors();
        if file.len() != expected.len() {
            return Err(FileError::Damaged);
        }
        let mut read = Vec::new();
        for tensor in expected {
            let view = file.tensor(&tensor.name).map_err(|_| FileError::Damaged)?;
            if view.dtype() != Dtype::F32 || view.shape() != tensor.dimensions {
                return Err(FileError::Damaged);
            }
            read.push(view.data());
        }
        if checksum(network.shape(), read.iter().copied()) != metadata.checksum {
            return Err(FileError::Damaged);
        }
        network.set_tensors(&read);
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
    /// If it cannot be read, or is no whole, undamaged network of this version.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        Self::from_bytes(&read_whole(path)?)
    }

    fn tensors(&self) -> Vec<Tensor> {
        let layout = self.layout();
        let bytes = |numbers: &mut dyn Iterator<Item = f32>| -> Vec<u8> {
            numbers.flat_map(f32::to_le_bytes).collect()
        };
        let mut tensors = Vec::new();
        for (index, layer) in layout.layers.iter().enumerate() {
            let rows =
                (0..=layer.inputs).flat_map(|input| &self.weights[layer.row(input)][..layer.nodes]);
            tensors.push(Tensor {
                name: format!("hidden.{index}.weight"),
                dimensions: vec![layer.inputs + 1, layer.nodes],
                bytes: bytes(&mut rows.copied()),
            });
        }
        let nodes = layout.layers.last().map_or(0, |layer| layer.nodes);
        let weights = &self.weights[layout.output.clone()][..nodes];
        let bias = self.weights[layout.output_bias()];
        tensors.push(Tensor {
            name: "output.weight".to_owned(),
            dimensions: vec![nodes + 1, 1],
            bytes: bytes(&mut weights.iter().copied().chain([bias])),
        });
        tensors
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

/// Of a description and the weights.
pub(crate) fn checksum<'a>(
    what: &impl Serialize,
    tensors: impl Iterator<Item = &'a [u8]>,
) -> String {
    let what = serde_json::to_string(what).expect("a description is plain data");
    let bytes = what.bytes().chain(tensors.flatten().copied());
    format!("{:016x}", fnv1a(bytes.map(u64::from)))
}

/// Why a file holds no network.
#[derive(Debug)]
pub enum FileError {
    /// It cannot be read.
    Io(io::Error),
    /// It is a folder.
    Folder(PathBuf),
    /// It is something else, or cut off.
    Foreign,
    /// It is a network of another version of this program.
    Version(u64),
    /// It was a network.
    Damaged,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Folder(path) => write!(
                f,
                "this is a folder; the network of a run is {}",
                path.join("network.safetensors").display()
            ),
            Self::Foreign => write!(f, "this is no network of Upstar, or only a part of one"),
            Self::Version(version) => write!(
                f,
                "this network has format {version}, and this program reads format {VERSION}"
            ),
            Self::Damaged => write!(f, "this network is damaged"),
        }
    }
}

impl std::error::Error for FileError {}
