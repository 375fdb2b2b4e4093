import dynamic from 'next/dynamic'
import { Lock } from '../icons.ts'
import { Empty } from './empty.tsx'

// Most members see something.
const WhoToAsk = dynamic(async () => (await import('../who-to-ask.tsx')).WhoToAsk)

/** In place of an empty list that the member may not add to. `title` says what they do not see yet. */
export function NoAccess({ title }: { title: string }) {
  return (
    <Empty
      icon={Lock}
      title={title}
      description="You see what you have access to: workspaces, projects or single services."
      action={<WhoToAsk>To get access, ask:</WhoToAsk>}
    />
  )
}
