import type { Reading } from './gauged-process.ts'
import type { HostileInput } from './hostile-input.ts'
import type { StallSetup } from './setup.ts'
import { variationOf } from './variation.ts'

export type Measured = Reading & {
  /** Which member of the family held the loop longest. */
  worstMember: number
}

/** Sends the first `members` of an input's family one by one, and tells the worst that it did to its process. */
export async function measure(world: StallSetup, input: HostileInput, members: number): Promise<Measured> {
  const measured: Measured = { longestMs: 0, peakBytes: 0, worstMember: 0 }
  const target = world[input.process]
  for (let member = 0; member < members; member++) {
    await target.reset()
    await input.send(world, variationOf(input.name, member))
    const { longestMs, peakBytes } = await target.read()
    if (longestMs > measured.longestMs) Object.assign(measured, { longestMs, worstMember: member })
    measured.peakBytes = Math.max(measured.peakBytes, peakBytes)
  }
  return measured
}

/** Lets both processes load and compile what ordinary work needs, so that its cost is not taken for an input's. */
export async function warmUp(world: StallSetup): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await world.api('GET', '/key')
    await world.api('POST', `/projects/${world.projectId}/services`, { name: `Warm ${round}` })
    await world.send('/sign-in')
    await world.rpc('auth.signIn', { email: 'nobody@example.com' })
  }
  await world.probe(`get("http://127.0.0.1:${world.web.port}/api/health").expect(status: 200)`)
}
