import os from 'node:os'
import type { IPv4, IPv6 } from 'ipaddr.js'
import ipaddr from 'ipaddr.js'

/** Addresses change at run time, and reading them costs a system call per interface. */
const FRESH_MS = 5_000

let readAt = Number.NEGATIVE_INFINITY
let known: ReadonlySet<string> = new Set()

/**
 * Returns whether an address belongs to an interface of this machine. Such an address, even a public one, bypasses the
 * firewall that protects local servers. Addresses that a router translates (NAT) are not known here.
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
