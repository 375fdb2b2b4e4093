import { z } from 'zod'
import './zod-messages.ts'

// The only file that reads the environment, and the fields that settings are made of. An empty value counts as not set.

export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .transform((text) => text === 'true' || text === '1')
    .default(fallback)

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be an integer')
    .transform(Number)
    .pipe(z.int().min(min).max(max))

export const integerOr = (fallback: number, min: number, max: number) => integer(min, max).default(fallback)

export const list = z
  .string()
  .transform((text) =>
    text
      .split(/[\s,]+/)
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .default([])

export const cidr = z
  .string()
  .refine((text) => z.cidrv4().safeParse(text).success || z.cidrv6().safeParse(text).success, {
    error: (issue) => `"${String(issue.input)}" is not a network such as 10.0.0.0/8`,
  })

export const logLevelField = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info')

/** Settings are wrong; the message names each one and what it needs. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** @throws SettingsError naming every setting that is not accepted */
export function parseEnvironment<T extends z.ZodType>(
  schema: T,
  environment: Record<string, string | undefined>,
): Readonly<z.output<T>> {
  const values = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = schema.safeParse(values)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
    throw new SettingsError(lines.join('; '))
  }
  return Object.freeze(parsed.data)
}

/** Reads the settings of this process. @throws SettingsError naming every setting that is not accepted */
export function readEnvironment<T extends z.ZodType>(schema: T): Readonly<z.output<T>> {
  return parseEnvironment(schema, process.env)
}

/** Returns the environment for a child process: ours with `changes`. */
export function childEnvironment(changes: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes } as NodeJS.ProcessEnv
}

/** Sets NODE_ENV, which libraries read when they load, to what this program is. */
export function setNodeEnv(mode: 'production' | 'development'): void {
  Object.assign(process.env, { NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: '1' })
}
