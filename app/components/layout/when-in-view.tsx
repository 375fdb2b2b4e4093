'use client'

import { useIntersection } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'

/** Of what a member will probably scroll to next. */
const MARGIN = '400px'

/** Draws what stands far below a long list only when the member comes near it: its code loads then. */
export function WhenInView({ children }: { children: ReactNode }) {
  const { ref, entry } = useIntersection({ rootMargin: MARGIN })
  const [wasSeen, setSeen] = useState(false)
  if (entry?.isIntersecting && !wasSeen) setSeen(true)
  return <div ref={ref}>{wasSeen && children}</div>
}
