'use client'

import dynamic from 'next/dynamic'

/** The wall, whose code the board does not load. */
export const LazyWall = dynamic(async () => (await import('./wall.tsx')).Wall)
