'use client'

import { useSearchParams } from 'next/navigation'
import { type AddressChanges, type ListAddress, parseAddress, searchWith } from './list-address.ts'

/**
 * Returns what the address of the list says, and a function that changes it without loading the page again. `replace`
 * leaves no entry in the history, for what a member types.
 */
export function useListAddress(): [ListAddress, (changes: AddressChanges, how?: 'push' | 'replace') => void] {
  const address = parseAddress(Object.fromEntries(useSearchParams()))
  const change = (changes: AddressChanges, how: 'push' | 'replace' = 'push') => {
    const href = `${window.location.pathname}${searchWith(address, changes)}`
    window.history[`${how}State`](null, '', href)
  }
  return [address, change]
}
