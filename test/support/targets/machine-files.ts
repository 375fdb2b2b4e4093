import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type MachineFiles = { hostsFile: string; resolvConf: string }

/** Writes a machine's files of name resolution into a folder, or replaces them there as the tools of a system do. */
export async function writeMachineFiles(folder: string, resolvConf: string, hosts = ''): Promise<MachineFiles> {
  const write = async (name: string, text: string) => {
    const path = join(folder, name)
    await writeFile(`${path}.new`, text)
    await rename(`${path}.new`, path)
    return path
  }
  return { hostsFile: await write('hosts', hosts), resolvConf: await write('resolv.conf', resolvConf) }
}
