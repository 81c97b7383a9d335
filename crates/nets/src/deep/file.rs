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

use super::anatomy::{Anatomy, Role};
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
        let anatomy = Anatomy::new(&sealed.what);
        let tensors = anatomy.tensors.iter();
        let numbers = sealed.numbers(tensors.map(|it| (it.name.as_str(), &*it.dimensions)))?;
        Self::read(sealed.what, anatomy, numbers)
    }

    /// A network of numbers that were read.
    pub(super) fn read(
        design: Design,
        anatomy: Anatomy,
        numbers: Vec<f32>,
    ) -> Result<Self, FileError> {
        let mut variances = anatomy
            .tensors
            .iter()
            .filter(|tensor| tensor.role == Role::Variance)
            .flat_map(|tensor| &numbers[tensor.range.clone()]);
        if variances.any(|&variance| variance < 0.0) {
            return Err(FileError::NotFinite);
        }
        Ok(Self::of(design, anatomy, numbers))
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

    /// The numbers of all tensors, which must be just these, one after the other. Memory is taken
    /// only for numbers that the file has.
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
        let numbers: Vec<f32> = numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(FileError::NotFinite);
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::Random;

    use super::super::design::{MOST_WIDTH, Model, Planes};
    use super::super::learner::{Learner, Settings};
    use super::*;

    fn design(width: usize, depth: usize) -> Design {
        Design {
            game: "clobber".parse().unwrap(),
            board: None,
            model: Model::Resnet,
            planes: Planes::Free,
            width,
            depth,
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        let settings = Settings {
            learning_rate: 1e-3,
            weight_decay: 0.0,
        };
        let network = DeepNetwork::random(design(4, 1), &mut Random::new(1)).unwrap();
        for (tensor, wrong) in [
            ("stem.conv.weight", f32::NAN),
            ("stem.norm.bias", f32::INFINITY),
            ("stem.norm.variance", -1.0),
        ] {
            let mut network = network.clone();
            network.tensor_mut(tensor).unwrap()[2] = wrong;
            let read = DeepNetwork::from_bytes(&network.to_bytes());
            assert!(matches!(read, Err(FileError::NotFinite)), "{tensor}");
            let learner = Learner::new(network, settings).to_bytes();
            let read = Learner::from_bytes(&learner);
            assert!(matches!(read, Err(FileError::NotFinite)), "{tensor}");
        }
    }

    #[test]
    fn a_header_without_numbers_takes_no_memory() {
        let bytes = seal(ENTRY, &design(MOST_WIDTH, 7), std::iter::empty());
        assert!(bytes.len() < 1000);
        let begun = std::time::Instant::now();
        for _ in 0..100 {
            assert!(matches!(
                DeepNetwork::from_bytes(&bytes),
                Err(FileError::Damaged)
            ));
        }
        assert!(begun.elapsed().as_secs_f64() < 2.0);
    }
}
