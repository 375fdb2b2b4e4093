'use client'

import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Me } from '#server/schemas/account/accounts.ts'
import type { LevelName, Section } from '#server/schemas/account/permissions.ts'
import { query } from './api.ts'

const MeContext = createContext<Me | null>(null)

/** Hands the signed-in member to the pages beneath; known from the first paint on, read again after every change. */
export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  const fresh = useQuery({ ...query('auth.me'), initialData: me, staleTime: 60_000 })
  return <MeContext value={fresh.data}>{children}</MeContext>
}

export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error('useMe belongs beneath MeProvider')
  return me
}

const RANK: Record<LevelName, number> = { none: 0, read: 1, write: 2 }

/** Whether the member holds a level on an organization section. */
export function hasPermission(me: Me, section: Section, level: 'read' | 'write'): boolean {
  return me.isOwner || RANK[me.sections[section]] >= RANK[level]
}
