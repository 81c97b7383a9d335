#!/bin/sh
# An example: all tables with 16 seeds, dealt to 32 tasks that share this folder.
# Submit it in this folder with: sbatch slurm.sh
#SBATCH --job-name=upstar-reproduce
#SBATCH --array=1-32
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=12:00:00
#SBATCH --output=slurm-%a.log

exec upstar reproduce --all --scale 1 --seeds 16 \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --threads "$SLURM_CPUS_PER_TASK" --out "$SLURM_SUBMIT_DIR"
