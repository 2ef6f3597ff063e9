import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { trajectoriesFolder } from '@spillway/testing';

export interface LabelledLog {
  name: string;
  text: string;
  cause_text: string[];
}

/** The labelled outputs stand beside the trajectories. */
export const outputsFolder = resolve(trajectoriesFolder(), '../outputs');

/** The repository doesn't hold the labelled outputs; without them only logs that were made here are measured. */
export const hasLabelledOutputs = (): boolean => existsSync(outputsFolder);

/** Failure logs of real builds with the lines that say why, most of them labelled by hand by others. */
export function labelledLogs(): LabelledLog[] {
  const labels = JSON.parse(readFileSync(resolve(outputsFolder, 'labels.json'), 'utf8')) as {
    file: string;
    cause_text: string[];
  }[];
  return labels.map(({ file, cause_text }) => ({
    name: file,
    text: readFileSync(resolve(outputsFolder, file), 'utf8'),
    cause_text,
  }));
}
