import { Text } from '@mantine/core'

/** Shown when the link from a mail has no token. */
export function IncompleteLink() {
  return <Text>This link is incomplete. Open the whole link from the mail that you received.</Text>
}
