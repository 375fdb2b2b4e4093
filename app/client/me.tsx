'use client'

import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Me } from '#server/schemas/account/accounts.ts'
import type { LevelName, Section } from '#server/schemas/account/sections.ts'
import { query } from './api.ts'

const MeContext = createContext<Me | null>(null)

/** Provides the current member to the pages. `me` is used for the first paint, then the member is refetched after changes. */
export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  const fresh = useQuery({ ...query('auth.me'), initialData: me, staleTime: 60_000 })
  return <MeContext value={fresh.data}>{children}</MeContext>
}

/** Returns the current member. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error('useMe needs a MeProvider')
  return me
}

const RANK: Record<LevelName, number> = { none: 0, read: 1, write: 2 }

/** Returns whether the member has a permission of at least this level in a section of the organization. */
export function hasPermission(me: Me, section: Section, level: 'read' | 'write'): boolean {
  return me.isOwner || RANK[me.sections[section]] >= RANK[level]
}
