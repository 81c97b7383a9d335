//! Large networks as files: safetensors, in the manner of small networks.
//!
//! The tensors stand under their names. One entry of the metadata says what they are, as JSON: the
//! format's version, the design, and a checksum of design and tensors.

use std::io;
use std::path::Path;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::design::Design;
use super::network::DeepNetwork;
use crate::file::{FileError, checksum, read_whole};

const VERSION: u32 = 1;
const ENTRY: &str = "upstar-deep";

impl DeepNetwork {
    /// The network as the bytes of a file. The same network gives the same bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        seal(ENTRY, self.design(), self.tensors())
    }

    /// Reads what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// If these are not the bytes of a whole, undamaged network of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let sealed = Sealed::<Design>::open(ENTRY, bytes)?;
        let mut network = Self::blank(sealed.what.clone());
        let blank = network.clone();
        let numbers = sealed.numbers(blank.tensors().map(|(name, shape, _)| (name, shape)))?;
        network.numbers.copy_from_slice(&numbers);
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
}

#[derive(Serialize, Deserialize)]
struct Metadata<T> {
    format: u32,
    #[serde(rename = "design")]
    what: T,
    checksum: String,
}

/// The bytes of named tensors, with a description and a checksum.
pub(crate) fn seal<'a, T: Serialize>(
    entry: &str,
    what: &T,
    tensors: impl Iterator<Item = (&'a str, &'a [usize], &'a [f32])>,
) -> Vec<u8> {
    let in_bytes = |numbers: &[f32]| -> Vec<u8> {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        bytes.collect()
    };
    let tensors: Vec<_> = tensors
        .map(|(name, shape, numbers)| (name, shape, in_bytes(numbers)))
        .collect();
    let checksum = checksum(what, tensors.iter().map(|(_, _, bytes)| &**bytes));
    let metadata = Metadata {
        format: VERSION,
        what,
        checksum,
    };
    let metadata = serde_json::to_string(&metadata).expect("a description is plain data");
    let views = tensors.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(Dtype::F32, shape.to_vec(), bytes);
        (*name, view.expect("the dimensions fit"))
    });
    let metadata = [(entry.to_owned(), metadata)].into();
    safetensors::serialize(views, Some(metadata)).expect("the views are sound")
}

/// What [`seal`] wrote, of which only the description has been read.
pub(crate) struct Sealed<'a, T> {
    pub(crate) what: T,
    checksum: String,
    file: SafeTensors<'a>,
}

impl<'a, T: Serialize + DeserializeOwned> Sealed<'a, T> {
    pub(crate) fn open(entry: &str, bytes: &'a [u8]) -> Result<Self, FileError> {
        let foreign = |_| FileError::Foreign;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(foreign)?;
        let entry = header.metadata().as_ref().and_then(|map| map.get(entry));
        let entry = entry.ok_or(FileError::Foreign)?;
        let value: serde_json::Value =
            serde_json::from_str(entry).map_err(|_| FileError::Damaged)?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(version) if version != u64::from(VERSION) => {
                return Err(FileError::Version(version));
            }
            _ => {}
        }
        let metadata: Metadata<T> =
            serde_json::from_value(value).map_err(|_| FileError::Damaged)?;
        Ok(Self {
            what: metadata.what,
            checksum: metadata.checksum,
            file: SafeTensors::deserialize(bytes).map_err(|_| FileError::Damaged)?,
        })
    }

    /// The numbers of all tensors, which must be just these, one after the other.
    pub(crate) fn numbers<'b>(
        &self,
        expected: impl Iterator<Item = (&'b str, &'b [usize])>,
    ) -> Result<Vec<f32>, FileError> {
        let mut tensors = Vec::new();
        for (name, shape) in expected {
            let view = self.file.tensor(name).map_err(|_| FileError::Damaged)?;
            if view.dtype() != Dtype::F32 || view.shape() != shape {
                return Err(FileError::Damaged);
            }
            tensors.push(view.data());
        }
        let whole = self.file.len() == tensors.len()
            && checksum(&self.what, tensors.iter().copied()) == self.checksum;
        if !whole {
            return Err(FileError::Damaged);
        }
        let numbers = tensors.iter().flat_map(|bytes| bytes.as_chunks().0);
        Ok(numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }
}
