import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'

/**
 * Returns a dialog whose code is loaded when it is first rendered, because most visits of a page open none. Render it only
 * while it is open.
 */
export function lazyDialog<Dialog extends (props: never) => ReactNode>(load: () => Promise<Dialog>): Dialog {
  return dynamic(load as () => Promise<never>, { ssr: false }) as unknown as Dialog
}
