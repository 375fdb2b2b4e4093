// The npm scripts load this before the program. Plain JavaScript, because an older Node cannot parse TypeScript.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `This needs Node 24 and runs on ${process.versions.node}: npm installs its own Node 24 (run \`npm ci\` without --ignore-scripts, then the npm scripts)`,
  )
  process.exit(1)
}
