import { VARIABLE_SCOPES } from '#server/cli/scripts/variable-scope-names.ts'
import { type ValidateOptions, type Validation, validateScript } from '#server/language/lace/validator.ts'
import { isObject, type Json } from '#server/language/lace/values/json.ts'
import type { Arguments } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { readJson, readObject } from './files.ts'

/** Validates a script, against variables and limits if they are given. */
export async function validateCommand(args: Arguments, source: string): Promise<Validation> {
  const options: ValidateOptions =
    args.context === undefined ? {} : readLimits(args.context, await readObject(args.context))
  const names = args.varsList === undefined ? null : await readJson(args.varsList)
  const byScope = isObject(names)
  if (names !== null) options.variables = readNames(args.varsList!, names)
  if (args.scoped || byScope) options.scopes = VARIABLE_SCOPES
  return validateScript(source, options)
}

function readNames(path: string, names: Json): NonNullable<ValidateOptions['variables']> {
  const lists = isObject(names) ? Object.values(names) : [names]
  const valid = lists.every((list) => Array.isArray(list) && list.every((name) => typeof name === 'string'))
  if (!valid) throw new CommandError(`${path} is neither an array of names nor an object of arrays by scope`)
  return names as string[] | Record<string, string[]>
}

function readLimits(path: string, context: Record<string, Json>): ValidateOptions {
  const limits: ValidateOptions = {}
  for (const key of ['maxRedirects', 'maxTimeoutMs'] as const) {
    const value = context[key]
    if (value === undefined) continue
    if (typeof value !== 'number' || !Number.isInteger(value))
      throw new CommandError(`${path}: ${key} is not an integer`)
    limits[key] = value
  }
  return limits
}
