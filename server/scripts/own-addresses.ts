import os from 'node:os'
import type { IPv4, IPv6 } from 'ipaddr.js'
import ipaddr from 'ipaddr.js'

/** Addresses come and go with interfaces, and reading them costs a system call per interface. */
const FRESH_MS = 5_000

let readAt = Number.NEGATIVE_INFINITY
let known: ReadonlySet<string> = new Set()

/**
 * Whether an address is one of this machine's own interfaces. A public one leads past the firewall that keeps others
 * from services of this machine. An address that a router in front translates is not known here.
 */
export function isOwnAddress(address: IPv4 | IPv6): boolean {
  if (performance.now() - readAt > FRESH_MS) {
    readAt = performance.now()
    known = readAddresses()
  }
  return known.has(address.toString())
}

function readAddresses(): Set<string> {
  const interfaces = Object.values(os.networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return new Set(interfaces.map(({ address }) => ipaddr.parse(address.replace(/%.*/, '')).toString()))
}
