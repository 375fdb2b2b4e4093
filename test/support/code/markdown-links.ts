import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '#server/process/program.ts'

// Links of the repository's Markdown files, as a code host follows them.

/**
 * Returns the relative links of a file that lead to no file or no heading. Addresses of other sites and paths of an
 * installation, such as `/docs/operations/runService`, are left out.
 */
export function deadLinksOf(file: string): string[] {
  const prose = read(file).replaceAll(/^```[\s\S]*?^```$/gm, '')
  const links = [...prose.matchAll(/\]\((?!https?:|\/)([^)]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const to = path === '' ? file : join(dirname(file), path)
    return !existsSync(join(ROOT, to)) || (anchor !== undefined && !anchorsOf(read(to)).includes(anchor))
  })
}

/** Returns the anchors that a code host gives to the headings of a text. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
