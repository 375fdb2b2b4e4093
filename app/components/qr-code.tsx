'use client'

import QRCode from 'qrcode'
import { useMemo } from 'react'

/** Width of the quiet zone around the code, in modules. */
const MARGIN = 4

/** `text` as a QR code. It is black on white in both colour schemes, because scanners expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
    let path = ''
    for (let row = 0; row < modules.size; row++)
      for (let column = 0; column < modules.size; column++)
        if (modules.get(row, column)) path += `M${column + MARGIN} ${row + MARGIN}h1v1h-1z`
    return { size: modules.size + 2 * MARGIN, path }
  }, [text])
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} rx={2} fill="var(--scan-light)" />
      <path d={path} fill="var(--scan-dark)" />
    </svg>
  )
}
