import { z } from 'zod'
import { cidr, integer, integerOr, list, logLevelField, readEnvironment } from '#server/process/environment.ts'
import { NETWORKS_MAX, SLOTS_MAX, TOKEN_PATTERN } from '#server/schemas/agents/protocol.ts'

// The settings of a remote agent. It has no database and no keys of the installation.

const MEBIBYTE = 1024 * 1024

export const agentSettingsSchema = z.object({
  SOUNDLINE_URL: z
    .string('must be set: the address of the installation, such as https://soundline.example.com')
    .refine(isOrigin, 'must be the address of the installation without a path, such as https://soundline.example.com')
    .transform((url) => new URL(url).origin),
  /** Needed until the agent is enrolled. */
  AGENT_TOKEN: z.string().regex(TOKEN_PATTERN, 'must be an enrolment token such as sla_…').optional(),
  AGENT_DATA_DIR: z.string().default('.soundline-agent'),
  AGENT_SPOOL_MAX_BYTES: integerOr(256 * MEBIBYTE, 16 * MEBIBYTE, 999_999_999_999),
  PROBE_ALLOWED_NETWORKS: list.pipe(z.array(cidr).max(NETWORKS_MAX)),
  /** A file in PEM: authorities that probes trust besides the public ones. */
  PROBE_CA_FILE: z.string().optional(),
  WORKER_CONCURRENCY: integer(1, SLOTS_MAX).optional(),
  LOG_LEVEL: logLevelField,
})

export type AgentSettings = Readonly<z.output<typeof agentSettingsSchema>>

/** Reads the settings of this process. @throws SettingsError naming every setting that is not accepted */
export function agentSettings(): AgentSettings {
  return readEnvironment(agentSettingsSchema)
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
}
