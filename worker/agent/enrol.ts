import { hostname } from 'node:os'
import type { MeasuredClock } from '#server/observe/system/measured-clock.ts'
import { StartupError } from '#server/process/lifecycle.ts'
import { log } from '#server/process/log.ts'
import { EnrolAnswer, type EnrolRequest, PROTOCOL } from '#server/schemas/agents/protocol.ts'
import type { Connection } from './connection.ts'
import { type Identity, openIdentity, storeEnrolment } from './identity.ts'
import { createRequests, isAboutAgent, Refusal, refusalEnd } from './requests.ts'
import type { AgentSettings } from './settings.ts'

const NAME_MAX = 128

export type Enrolled = Identity & { enrolment: NonNullable<Identity['enrolment']> }

type EnrolContext = {
  folder: string
  version: string
  clock: MeasuredClock
  connection: Connection
  signal: AbortSignal
}

/** Returns the agent's identity; enrols it with the token unless the server knows it. @throws StartupError */
export async function enrol(
  { SOUNDLINE_URL: url, AGENT_TOKEN: token }: Pick<AgentSettings, 'SOUNDLINE_URL' | 'AGENT_TOKEN'>,
  { folder, version, clock, connection, signal }: EnrolContext,
): Promise<Enrolled> {
  const identity = openIdentity(folder)
  if (isEnrolled(identity)) return identity
  if (!token) {
    throw new StartupError('AGENT_TOKEN: must be set for the first start. Enrol the agent in the dashboard to get one')
  }
  const { privateKey, publicKey } = identity
  const requests = createRequests(url, version, { privateKey, keyId: publicKey }, clock)
  const json: EnrolRequest = {
    token,
    publicKey,
    name: hostname().trim().slice(0, NAME_MAX) || 'unnamed',
    version,
    protocol: PROTOCOL,
  }
  const send = () => requests({ path: 'enrol', body: { json }, answer: EnrolAnswer, signal })
  const answer = await connection.persist('enrol', send, signal).catch((error) => {
    if (!(error instanceof Refusal)) throw error
    const message = `The server refused the enrolment: ${error.message}`
    throw isAboutAgent(error) ? refusalEnd(error, message) : new StartupError(message)
  })
  const enrolled = storeEnrolment(folder, url, answer)
  if (!isEnrolled(enrolled)) throw new Error('the enrolment was not stored')
  const { agent, organization } = answer
  log.info({ agent: agent.slug, organization: organization?.name ?? null, url }, 'the agent is enrolled')
  return enrolled
}

function isEnrolled(identity: Identity): identity is Enrolled {
  return identity.enrolment !== null
}
