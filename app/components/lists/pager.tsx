'use client'

import dynamic from 'next/dynamic'
import { useEffect } from 'react'
import type { PagerProps } from './pager-controls.tsx'

// Most lists have one page.
const PagerControls = dynamic(() => import('./pager-controls.tsx').then(({ PagerControls }) => PagerControls))

/** Switches between the pages of a list. Hidden if there is only one. Leaves a page that the list has no more. */
export function Pager(props: PagerProps) {
  const { total, page, pageSize } = props.page
  const last = Math.max(1, Math.ceil(total / pageSize))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onPage` is a new function at each render.
  useEffect(() => {
    if (page > last) props.onPage(last)
  }, [page, last])
  return last === 1 ? null : <PagerControls {...props} />
}
