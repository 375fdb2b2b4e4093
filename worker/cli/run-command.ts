import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { VARIABLE_SCOPES } from '#server/cli/scripts/variable-scope-names.ts'
import { bodyFiles } from '#server/language/lace/body-files.ts'
import { refusedResult, runScript } from '#server/language/lace/executor.ts'
import type { ProbeResult } from '#server/language/lace/result.ts'
import { isObject, type Json, type JsonObject } from '#server/language/lace/values/json.ts'
import { settings } from '#server/process/settings.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { readAuthorities } from '../http/authorities.ts'
import { createTransport } from '../http/client.ts'
import type { Arguments } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { type LaceConfig, readConfig, UnsetVariable } from './config.ts'
import { isDirectory, readJson, readObject, readText, saveResult } from './files.ts'

/** Runs a script with the HTTP client and the SSRF guard of the platform. */
export async function runCommand(args: Arguments, signal: AbortSignal): Promise<ProbeResult> {
  const source = await readText(args.script)
  const config = await readConfig(args.script, args.config, args.env).catch((error: unknown) => {
    if (error instanceof UnsetVariable) return error
    throw error
  })
  if (config instanceof UnsetVariable) return refusedResult(config.message)
  const variables = { ...(args.vars === undefined ? {} : await readObject(args.vars)), ...readPairs(args.varPairs) }
  const prev: Json = args.prev === undefined ? null : await readJson(args.prev)
  const saveTo = args.saveTo ?? (config.result.path === false ? undefined : config.result.path)
  const bodies = await resolveBodiesDirectory(args, config, saveTo)
  const { PROBE_ALLOWED_NETWORKS, PROBE_CA_FILE, PROBE_RUN_TIMEOUT } = settings()
  const result = await runScript({
    source,
    variables,
    prev,
    ...(args.scoped || VARIABLE_SCOPES.some((scope) => isObject(variables[scope])) ? { scopes: VARIABLE_SCOPES } : {}),
    transport: createTransport({
      allowedNetworks: readNetworks([...PROBE_ALLOWED_NETWORKS, ...args.allowNetworks]),
      ca: readAuthorities(PROBE_CA_FILE),
    }),
    limits: {
      runTimeoutMs: PROBE_RUN_TIMEOUT * 1000,
      maxRedirects: config.executor.maxRedirects,
      maxTimeoutMs: config.executor.maxTimeoutMs,
    },
    ...(config.executor.user_agent === undefined ? {} : { userAgent: config.executor.user_agent }),
    bodies: bodies === null ? null : bodyFiles(bodies),
    signal,
  })
  if (saveTo !== undefined) await saveResult(saveTo, result)
  return result
}

/** Parses `--var KEY=VALUE`; the value may contain equal signs. */
function readPairs(pairs: string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at <= 0) throw new CommandError(`--var ${pair} is not KEY=VALUE`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

function readNetworks(cidrs: string[]) {
  try {
    return parseNetworks(cidrs)
  } catch (error) {
    throw new CommandError(`--allow-network: ${error instanceof Error ? error.message : error}`)
  }
}

async function resolveBodiesDirectory(
  args: Arguments,
  config: LaceConfig,
  saveTo: string | undefined,
): Promise<string | null> {
  if (args.bodiesDir !== undefined) return args.bodiesDir
  if (args.saveBody) {
    if (saveTo === undefined) return tmpdir()
    return (await isDirectory(saveTo)) ? saveTo : dirname(saveTo)
  }
  return config.result.bodies.dir === false ? null : config.result.bodies.dir
}
