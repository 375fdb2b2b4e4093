import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'

/** Adds the options that all lists of a project or workspace have. */
export function addWithinOptions(command: Command): Command {
  return command
    .option('--project <name>', 'only within this project, by name or id')
    .option('--workspace <name>', 'only within this workspace, by name or id')
}

const LIMIT_MAX = 100

export function addLimit(command: Command): Command {
  return command.option('--limit <count>', `how many, at most ${LIMIT_MAX}`, parseLimit, 20)
}

function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > LIMIT_MAX) throw new InvalidArgumentError(`Write a number from 1 to ${LIMIT_MAX}.`)
  return limit
}
