'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Scrolls its content sideways if that is wider than the place. Only then the keyboard reaches it, to scroll. */
export function ScrollSideways(props: {
  label: string
  /** The head of its table stays in sight: in the window, or at the top of what scrolls. */
  isSticky?: true
  children: ReactNode
}) {
  const { label, children } = props
  const box = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth))
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={box}
      className="scrolls-sideways"
      data-sticky={props.isSticky && (scrolls ? 'box' : 'window')}
      {...(scrolls && { tabIndex: 0, role: 'region', 'aria-label': label })}
    >
      {children}
    </div>
  )
}
