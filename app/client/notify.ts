import type { NotificationData } from '@mantine/notifications'

const listeners = new Set<() => void>()
let isUsed = false

/** Shows a notification. Its code is loaded with the first one. */
export async function notify(notification: NotificationData): Promise<void> {
  isUsed = true
  for (const listener of listeners) listener()
  const { notifications } = await import('@mantine/notifications')
  notifications.show(notification)
}

export const notifyStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  isUsed: () => isUsed,
}
