'use client'

import dynamic from 'next/dynamic'
import { useSyncExternalStore } from 'react'
import { notifyStore } from './notify.ts'

const Notifications = dynamic(async () => (await import('@mantine/notifications')).Notifications, { ssr: false })

/** The corner in which notifications appear. */
export function NotificationArea() {
  const isUsed = useSyncExternalStore(notifyStore.subscribe, notifyStore.isUsed, () => false)
  return isUsed ? <Notifications position="bottom-right" /> : null
}
