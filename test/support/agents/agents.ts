import { onTestFinished } from 'vitest'
import { createMeasuredClock } from '#server/observe/system/measured-clock.ts'
import { openDataFolder } from '#server/process/data-folder.ts'
import { parseEnvironment } from '#server/process/environment.ts'
import { type Agent, startAgent } from '#worker/agent/agent.ts'
import { createConnection } from '#worker/agent/connection.ts'
import { enrol } from '#worker/agent/enrol.ts'
import { nameProcess } from '#worker/agent/process-name.ts'
import { agentSettingsSchema } from '#worker/agent/settings.ts'
import { openSpool, type Spool } from '#worker/agent/spool.ts'

/** An agent in this process. */
export type TestAgent = Agent & { spool: Spool }

/** Starts an agent with its data in `folder`. It may probe loopback, and ends with the test. */
export async function startTestAgent(folder: string, environment: Record<string, string>): Promise<TestAgent> {
  const settings = parseEnvironment(agentSettingsSchema, { PROBE_ALLOWED_NETWORKS: '127.0.0.0/8', ...environment })
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  openDataFolder(folder)
  const version = '1.2.3'
  const clock = createMeasuredClock()
  const connection = createConnection(settings.SOUNDLINE_URL)
  const identity = await enrol(settings, { folder, version, clock, connection, signal: stopping.signal })
  const spool = await openSpool(folder, identity.spoolKey, settings.AGENT_SPOOL_MAX_BYTES)
  const agent = startAgent({ settings, version, identity, name: nameProcess(folder), spool, clock, connection })
  // A test that expects the end awaits it.
  agent.ended.catch(() => {})
  onTestFinished(agent.stop)
  return { ...agent, spool }
}
