import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { Cli } from '../cli.ts'

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

/** Adds the options of a list that is read in pages. */
export function addPaging(command: Command): Command {
  return addLimit(command).option('--page <number>', 'which page of that many, from 1', parsePage, 1)
}

/** Says on standard error how many entries follow the page that was printed. */
export function noteMore(
  cli: Pick<Cli, 'note'>,
  { total, page, pageSize }: Record<'total' | 'page' | 'pageSize', number>,
) {
  const more = total - page * pageSize
  if (more > 0) cli.note(`${more} more: --page ${page + 1}`)
}

function parsePage(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Write a number from 1.')
  return Number(text)
}

function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > LIMIT_MAX) throw new InvalidArgumentError(`Write a number from 1 to ${LIMIT_MAX}.`)
  return limit
}
