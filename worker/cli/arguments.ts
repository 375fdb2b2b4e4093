import { parseArgs } from 'node:util'
import { CommandError } from './command-error.ts'

export const USAGE = `usage: npm run probe -- COMMAND SCRIPT [OPTIONS]

commands
  run SCRIPT        run a script of the probe language
  validate SCRIPT   check it against every rule
  parse SCRIPT      print its syntax tree

options of run
  --vars FILE             variables, as a JSON object
  --var KEY=VALUE         one variable; may be given several times, and stands over --vars
  --prev FILE             the previous result, for \`prev\`
  --scoped                variables are scoped ($o. $w. $p. $s.) as on the platform; on by itself when the
                          object of --vars has an object under one of those letters
  --save-body             keep response bodies beside the result, or else in the system's directory for such files
  --bodies-dir DIRECTORY  keep response bodies there
  --save-to PATH          write the result there: a .json file, or a directory
  --allow-network CIDR    let the script reach this private network; may be given several times
                          (besides those of PROBE_ALLOWED_NETWORKS)
  --config FILE           instead of the lace.config beside the script or in the working directory
  --env NAME              the environment whose section of the config stands over the rest (or LACE_ENV)

options of validate
  --vars-list FILE        the names of the variables there are, as a JSON list, or an object of lists by scope
  --context FILE          limits, as a JSON object: maxRedirects, maxTimeoutMs
  --scoped                as above

  --json                  JSON on a terminal as well; what is no terminal gets it always
  --table                 the readable form, wherever it goes
  --help

exit codes: 0 success, 1 failure (or errors found), 2 timeout, 3 the command could not be carried out`

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
  /** Null leaves it to whether the output is a terminal. */
  format: 'json' | 'table' | null
}

const file = { type: 'string' } as const
const several = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

const OPTIONS = {
  vars: file,
  var: several,
  prev: file,
  // What the language's own documents call it.
  'prev-results': file,
  scoped: flag,
  'save-body': flag,
  'bodies-dir': file,
  'save-to': file,
  'allow-network': several,
  config: file,
  env: file,
  'vars-list': file,
  context: file,
  json: flag,
  table: flag,
  help: flag,
}

/** Reads the command line; null when help is asked for. Throws `CommandFault`. */
export function readArguments(args: string[]): Arguments | null {
  const { values, positionals } = parse(args)
  if (values.help) return null
  const [command, script, ...rest] = positionals
  if (command !== 'run' && command !== 'validate' && command !== 'parse') {
    throw new CommandError(command === undefined ? 'no command is given' : `there is no command ${command}`)
  }
  if (script === undefined) throw new CommandError('no script is given')
  if (rest.length > 0) throw new CommandError(`one script at a time: what is ${rest[0]}?`)
  if (values.json && values.table) throw new CommandError('--json and --table exclude each other')
  const given = {
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
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
}
