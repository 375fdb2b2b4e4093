import { parseArgs } from 'node:util'
import { CommandError } from './command-error.ts'

const SYNOPSIS = 'Usage: probe COMMAND SCRIPT [OPTIONS]'

export const USAGE = `${SYNOPSIS}

Commands:
  run SCRIPT        run a script of the probe language
  validate SCRIPT   check a script against all rules
  parse SCRIPT      print the syntax tree of a script

Options of run:
  --vars FILE             variables, as a JSON object
  --var KEY=VALUE         one variable; overrides --vars; may be repeated
  --prev FILE             the previous result, for \`prev\`
  --scoped                variables are scoped ($o. $w. $p. $s.) as on the platform; this is the default if
                          --vars has an object under one of these letters
  --save-body             save response bodies next to the result, or in the temporary directory of the system
  --bodies-dir DIRECTORY  save response bodies in this directory
  --save-to PATH          write the result to a .json file or into a directory
  --allow-network CIDR    let the script reach this private network, in addition to PROBE_ALLOWED_NETWORKS;
                          may be repeated
  --config FILE           config file; default: lace.config next to the script or in the working directory
  --env NAME              section of the config that overrides the rest (or LACE_ENV)

Options of validate:
  --vars-list FILE        names of the variables, as a JSON array, or an object with one array per scope
  --context FILE          limits, as a JSON object: maxRedirects, maxTimeoutMs
  --scoped                as above

  --json                  print JSON; this is the default if the output is not a terminal
  --table                 print a readable table; this is the default on a terminal
  --help                  print this text

Exit codes: 0 success, 1 failure (or errors found), 2 timeout, 3 not executed`

export type Arguments = {
  command: 'run' | 'validate' | 'parse'
  script: string
  vars?: string
  varPairs: string[]
  prev?: string
  scoped: boolean
  saveBody: boolean
  bodiesDir?: string
  saveTo?: string
  allowNetworks: string[]
  config?: string
  env?: string
  varsList?: string
  context?: string
  /** Null: a table on a terminal, else JSON. */
  format: 'json' | 'table' | null
}

const file = { type: 'string' } as const
const repeatable = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

const OPTIONS = {
  vars: file,
  var: repeatable,
  prev: file,
  // The name in the language's own documents.
  'prev-results': file,
  scoped: flag,
  'save-body': flag,
  'bodies-dir': file,
  'save-to': file,
  'allow-network': repeatable,
  config: file,
  env: file,
  'vars-list': file,
  context: file,
  json: flag,
  table: flag,
  help: flag,
}

/** Parses the command line; null for `--help`. @throws CommandError when it is not valid */
export function readArguments(args: string[]): Arguments | null {
  const { values, positionals } = parse(args)
  if (values.help) return null
  const [command, script, ...rest] = positionals
  if (command !== 'run' && command !== 'validate' && command !== 'parse') {
    throw new CommandError(command === undefined ? 'No command is given' : `There is no command ${command}`)
  }
  if (script === undefined) throw new CommandError('No script is given')
  if (rest.length > 0) throw new CommandError(`Only one script is allowed; ${rest[0]} is unexpected`)
  if (values.json && values.table) throw new CommandError('--json and --table exclude each other')
  const paths = {
    vars: values.vars,
    prev: values.prev ?? values['prev-results'],
    bodiesDir: values['bodies-dir'],
    saveTo: values['save-to'],
    config: values.config,
    env: values.env,
    varsList: values['vars-list'],
    context: values.context,
  }
  return {
    command,
    script,
    varPairs: values.var ?? [],
    scoped: values.scoped ?? false,
    saveBody: values['save-body'] ?? false,
    allowNetworks: values['allow-network'] ?? [],
    format: values.json ? 'json' : values.table ? 'table' : null,
    ...Object.fromEntries(Object.entries(paths).filter(([, value]) => value !== undefined)),
  }
}

/** Checks the options first: the messages of Node's own check are long and about its rules. */
function parse(args: string[]) {
  const config = { args, options: OPTIONS, allowPositionals: true } as const
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    const problem = token.kind === 'option' ? optionProblem(token) : null
    if (problem !== null) throw new CommandError(`${problem}\n${SYNOPSIS}`)
  }
  return parseArgs({ ...config, strict: true })
}

type OptionToken = { name: string; rawName: string; value?: string; inlineValue?: boolean }

function optionProblem({ name, rawName, value, inlineValue }: OptionToken): string | null {
  if (!Object.hasOwn(OPTIONS, name)) return `There is no option ${rawName}`
  if (OPTIONS[name as keyof typeof OPTIONS].type === 'boolean') {
    return value === undefined ? null : `The option ${rawName} takes no value`
  }
  // As in `--vars --scoped`: the value is the next option. `--vars=--scoped` is a value.
  const isMissing = value === undefined || (!inlineValue && /^-./.test(value))
  return isMissing ? `The option ${rawName} needs a value` : null
}
