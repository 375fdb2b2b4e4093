import type { Board } from '#server/schemas/status/board.ts'
import { Link } from '../../components/layout/link.tsx'
import { type Section, servicesIn } from '../../components/service-list/sections.ts'
import tableClasses from '../../components/service-list/service-table.module.css'
import { CountsBadge } from '../../components/status/state-badge.tsx'

/** The title of a section of the board, with how many services it has on all pages. */
export function sectionTitle({ kind, key, blocks }: Section, board: Board) {
  const { failing, degraded, unknown, passing, pending, paused } = board.counts
  if (kind === 'project') {
    const first = blocks.flatMap(servicesIn)[0]
    const counts = board.projects.find(({ id }) => id === key)?.counts
    const text = `${first?.workspaceName} / ${first?.projectName}`
    return {
      text,
      content: (
        <>
          <h2 className={tableClasses.sectionTitle}>
            <Link href={`/workspaces/${first?.workspaceId}`}>{first?.workspaceName}</Link>
            {' / '}
            <Link href={`/projects/${key}`}>{first?.projectName}</Link>
          </h2>
          {counts && <CountsBadge counts={counts} size="sm" />}
        </>
      ),
    }
  }
  const [text, count] =
    kind === 'attention'
      ? ['Needs attention', failing + degraded + unknown]
      : ['Other services', passing + pending + paused]
  return {
    text,
    content: (
      <>
        <h2 className={tableClasses.sectionTitle}>{text}</h2>
        <span className={tableClasses.dim}>{count.toLocaleString('en')}</span>
      </>
    ),
  }
}
