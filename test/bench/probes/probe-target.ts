import { once } from 'node:events'
import { startChild, stopChild } from '../child-process.ts'

/** The ports of the probed servers. `stop` ends their process. */
export type ProbeTarget = { plain: number; secure: number; stop: () => Promise<void> }

/** Starts the probed servers in a process of their own. */
export async function startProbeTarget(certificate: { key: string; cert: string }): Promise<ProbeTarget> {
  const child = startChild('./programs/probe-target.ts', {
    PATH: process.env.PATH,
    CERTIFICATE: JSON.stringify(certificate),
  })
  const [ports] = (await once(child, 'message')) as [{ plain: number; secure: number }]
  return { ...ports, stop: () => stopChild(child, 'SIGTERM') }
}
