import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { childEnvironment } from '#server/process/environment.ts'
import { CommandError } from './command-error.ts'
import { readText } from './files.ts'

const pathOrFalse = z.union([z.string().min(1), z.literal(false)])

const schema = z.object({
  executor: z
    .object({
      extensions: z.array(z.string()).max(0, 'extensions are not implemented').default([]),
      maxRedirects: z.int().min(0).max(100).default(10),
      maxTimeoutMs: z.int().min(1).max(3_600_000).default(300_000),
      user_agent: z.string().min(1).optional(),
    })
    .prefault({}),
  result: z
    .object({
      path: pathOrFalse.default(false),
      bodies: z.object({ dir: pathOrFalse.default(false) }).prefault({}),
    })
    .prefault({}),
})

export type LaceConfig = z.output<typeof schema>

/**
 * Reads the language's config: the named file, else `lace.config` next to the script, else `lace.config` in the working
 * directory, else defaults. The section `[lace.config.NAME]` of the chosen environment overrides the rest. Unlike the
 * language's own tools, a result is saved only if a path is given.
 */
export async function readConfig(
  script: string,
  named: string | undefined,
  env: string | undefined,
): Promise<LaceConfig> {
  const environment = childEnvironment({})
  const path = named ?? (await firstExisting([join(dirname(script), 'lace.config'), 'lace.config']))
  return path === null ? schema.parse({}) : parseConfig(path, await readText(path), env, environment)
}

/**
 * Parses a config in TOML; `env` or `LACE_ENV` chooses its section.
 *
 * @throws UnsetVariable when the config reads an environment variable that is not set
 * @throws CommandError when the config is not valid; the message contains `path`
 */
export function parseConfig(path: string, text: string, env: string | undefined, environment: Environment): LaceConfig {
  const { lace, ...common } = parseToml(path, text)
  const chosen = env ?? environment.LACE_ENV
  const sections = field(field(lace, 'config'), chosen ?? '')
  const parsed = schema.safeParse(resolveEnvironment(mergeTables(common, sections ?? {}), environment))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new CommandError(`${path}: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** A config reads an environment variable that is not set. The language then ends the run before its first call. */
export class UnsetVariable extends CommandError {}

type Environment = Record<string, string | undefined>

async function firstExisting(paths: string[]): Promise<string | null> {
  for (const path of paths) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return null
}

function parseToml(path: string, text: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    throw new CommandError(
      `${path} is not valid TOML: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    )
  }
}

function field(value: unknown, key: string): unknown {
  return isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mergeTables(base: unknown, overrides: unknown): unknown {
  if (!isTable(base) || !isTable(overrides)) return overrides
  const keys = [...new Set([...Object.keys(base), ...Object.keys(overrides)])]
  return Object.fromEntries(
    keys.map((key) => [key, Object.hasOwn(overrides, key) ? mergeTables(base[key], overrides[key]) : base[key]]),
  )
}

/** Replaces `env:NAME` and `env:NAME:default` by environment variables. */
function resolveEnvironment(value: unknown, environment: Environment): unknown {
  if (isTable(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolveEnvironment(one, environment)]))
  const [, name, , fallback] =
    (typeof value === 'string' && /^env:([A-Za-z_][A-Za-z0-9_]*)(:(.*))?$/s.exec(value)) || []
  if (name === undefined) return value
  const resolved = environment[name] ?? fallback
  if (resolved === undefined)
    throw new UnsetVariable(`the config reads ${name} from the environment, but it is not set`)
  return resolved
}
