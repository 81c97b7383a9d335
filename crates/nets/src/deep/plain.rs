//! A large network in plain loops: slow, and what the fast kernel is compared with.

use upstar_games::Grid;

use super::anatomy::{Conv, Dense, INPUT_PLANES};
use super::design::Model;
use super::network::DeepNetwork;
use super::observation::Observation;
use crate::judge::Misfit;

/// Numbers by channel and cell.
type Field = Vec<Vec<f32>>;

impl DeepNetwork {
    /// The logits of all actions and the value of one position.
    ///
    /// # Errors
    /// If the network is for another board.
    pub fn plain(&self, grid: &Grid, observation: &Observation) -> Result<(Vec<f32>, f32), Misfit> {
        self.fits(grid)?;
        let anatomy = &self.anatomy;
        let number = |plane, cell| observation.numbers(self.design().planes, cell)[plane];
        let mut field: Field = (0..INPUT_PLANES)
            .map(|plane| (0..grid.len()).map(|cell| number(plane, cell)).collect())
            .collect();
        if self.design().model == Model::Mlp {
            let mut nodes = field.concat();
            for layer in &anatomy.layers {
                nodes = relu(self.dense(layer, &nodes));
            }
            field = vec![nodes];
        }
        let mut shortcut = Field::new();
        for (index, conv) in anatomy.convs.iter().enumerate() {
            let residual = self.design().model == Model::Resnet && index > 0;
            if residual && index % 2 == 1 {
                shortcut = field.clone();
            }
            field = self.conv(conv, grid, &field);
            if residual && index % 2 == 0 {
                for (channel, other) in field.iter_mut().zip(&shortcut) {
                    channel.iter_mut().zip(other).for_each(|(x, y)| *x += y);
                }
            }
            field = field.into_iter().map(relu).collect();
        }
        Ok((self.policy(grid, &field), self.value(grid, &field)))
    }

    fn policy(&self, grid: &Grid, field: &Field) -> Vec<f32> {
        let head = &self.anatomy.policy;
        let field = self.head_field(head.conv.as_ref(), grid, field);
        if self.design().board.is_none() {
            let cells = 0..grid.len();
            let of_cell = |cell: usize| field.iter().map(|channel| channel[cell]).collect();
            return cells
                .flat_map(|cell| {
                    self.dense(&head.output, &Vec::from_iter::<Vec<f32>>(of_cell(cell)))
                })
                .collect();
        }
        let mut nodes = field.concat();
        if let Some(hidden) = &head.hidden {
            nodes = relu(self.dense(hidden, &nodes));
        }
        self.dense(&head.output, &nodes)
    }

    fn value(&self, grid: &Grid, field: &Field) -> f32 {
        let head = &self.anatomy.value;
        let field = self.head_field(head.conv.as_ref(), grid, field);
        let nodes = if self.design().board.is_none() {
            let mean = |channel: &Vec<f32>| channel.iter().sum::<f32>() / channel.len() as f32;
            let most = |channel: &Vec<f32>| channel.iter().copied().fold(f32::MIN, f32::max);
            field
                .iter()
                .map(mean)
                .chain(field.iter().map(most))
                .collect()
        } else {
            field.concat()
        };
        let hidden = relu(self.dense(&head.hidden, &nodes));
        self.dense(&head.output, &hidden)[0].tanh()
    }

    fn head_field(&self, conv: Option<&Conv>, grid: &Grid, field: &Field) -> Field {
        match conv {
            Some(conv) => self.conv(conv, grid, field).into_iter().map(relu).collect(),
            None => field.clone(),
        }
    }

    /// A convolution and its norm, with zeros beyond the edge.
    fn conv(&self, conv: &Conv, grid: &Grid, field: &Field) -> Field {
        let weights = &self.numbers[conv.weight.clone()];
        let (side, reach) = (conv.side, conv.side / 2);
        let sum = |output: usize, row: usize, col: usize| {
            let mut sum = 0.0;
            for (input, channel) in field.iter().enumerate() {
                for tap in 0..side * side {
                    let (near, beside) = (row + tap / side, col + tap % side);
                    let inside = (reach..grid.rows() + reach).contains(&near)
                        && (reach..grid.cols() + reach).contains(&beside);
                    if inside {
                        let cell = (near - reach) * grid.cols() + beside - reach;
                        let weight = weights[(output * conv.inputs + input) * side * side + tap];
                        sum += weight * channel[cell];
                    }
                }
            }
            let (factor, summand) = self.norm(conv, output);
            sum * factor + summand
        };
        let of_channel = |output| {
            let cells = 0..grid.len();
            cells
                .map(|cell| sum(output, cell / grid.cols(), cell % grid.cols()))
                .collect()
        };
        (0..conv.outputs).map(of_channel).collect()
    }

    fn dense(&self, layer: &Dense, inputs: &[f32]) -> Vec<f32> {
        let weights = &self.numbers[layer.weight.clone()];
        let biases = &self.numbers[layer.bias.clone()];
        assert_eq!(inputs.len(), layer.inputs, "the inputs of the layer");
        let sum = |output: usize| {
            let products = inputs.iter().enumerate();
            let products = products.map(|(input, x)| x * weights[input * layer.outputs + output]);
            products.sum::<f32>() + biases[output]
        };
        (0..layer.outputs).map(sum).collect()
    }
}

fn relu(mut numbers: Vec<f32>) -> Vec<f32> {
    for number in &mut numbers {
        *number = number.max(0.0);
    }
    numbers
}
