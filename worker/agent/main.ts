#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { z } from 'zod'
import { createMeasuredClock } from '#server/observe/system/measured-clock.ts'
import { openDataFolder } from '#server/process/data-folder.ts'
import { readEnvironment } from '#server/process/environment.ts'
import { lockFolder } from '#server/process/folder-lock.ts'
import { runProgram, StartupError, sendToParent } from '#server/process/lifecycle.ts'
import { log } from '#server/process/log.ts'
import { startAgent } from './agent.ts'
import { createConnection } from './connection.ts'
import { enrol } from './enrol.ts'
import { nameProcess } from './process-name.ts'
import { agentSettings } from './settings.ts'
import { openSpool } from './spool.ts'

// `npm run agent`, and the package that each installation serves as `/agent.tgz`: executes runs where the installation
// cannot reach. It needs only outbound HTTPS.

const ProxySetting = z.object({ HTTPS_PROXY: z.string().optional(), https_proxy: z.string().optional() })

await runProgram(async (stops) => {
  const settings = agentSettings()
  // For the requests to the server alone: probes connect by themselves.
  if (http.setGlobalProxyFromEnv) http.setGlobalProxyFromEnv()
  else if (Object.values(readEnvironment(ProxySetting)).length > 0) {
    log.warn({ node: process.version }, 'HTTPS_PROXY is ignored: only Node 24.14 or later can use it')
  }
  const folder = openDataFolder(settings.AGENT_DATA_DIR, 'AGENT_DATA_DIR')
  const unlock = await lockFolder(folder, 'agent')
  if (!unlock) throw new StartupError(`AGENT_DATA_DIR: another agent is running in ${folder}`)
  stops.defer(unlock)

  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const clock = createMeasuredClock()
  const connection = createConnection(settings.SOUNDLINE_URL)
  const starting = new AbortController()
  stops.defer(() => starting.abort())
  const identity = await enrol(settings, { folder, version, clock, connection, signal: starting.signal })
  const spool = await openSpool(folder, identity.spoolKey, settings.AGENT_SPOOL_MAX_BYTES)
  const agent = startAgent({ settings, version, identity, name: nameProcess(folder), spool, clock, connection })
  stops.defer(agent.stop)
  sendToParent({ type: 'ready' })
  await agent.ended
})
