// What a pipeline needs, in ten lines or fewer. The guide shows these recipes, and a test executes their commands.

export const GITHUB_ACTIONS = `jobs:
  checks:
    runs-on: ubuntu-latest
    env:
      SOUNDLINE_URL: https://soundline.example.com
      SOUNDLINE_KEY: \${{ secrets.SOUNDLINE_KEY }}
    steps:
      - run: npx -y $SOUNDLINE_URL/cli.tgz run --project Shop --wait --reporter list --reporter github`

export const GITLAB_CI = `checks:
  image: node:24
  variables:
    SOUNDLINE_URL: https://soundline.example.com
  script:
    - npx -y $SOUNDLINE_URL/cli.tgz run --project Shop --wait --reporter list --reporter junit=soundline.xml
  artifacts:
    when: always
    reports:
      junit: soundline.xml`

export const JENKINS = `stage('Checks') {
  environment {
    SOUNDLINE_URL = 'https://soundline.example.com'
    SOUNDLINE_KEY = credentials('soundline-key')
  }
  steps { sh 'npx -y $SOUNDLINE_URL/cli.tgz run --project Shop --wait --reporter list --reporter junit=soundline.xml' }
  post { always { junit 'soundline.xml' } }
}`

export const SHELL = `export SOUNDLINE_URL=https://soundline.example.com
export SOUNDLINE_KEY=$(cat soundline.key)
npx -y $SOUNDLINE_URL/cli.tgz run --project Shop --wait`

export const CURL = `service="$SOUNDLINE_URL/api/public/v1/services/$SERVICE_ID"
call() { echo "Authorization: Bearer $SOUNDLINE_KEY" | curl -fsS --retry 5 --retry-connrefused -H @- "$@"; }
run=$(call -X POST -H "Idempotency-Key: $(date +%s)-$$" "$service/run?wait=30") || exit 2
id=$(printf '%s' "$run" | sed 's/.*"runId":"\\([^"]*\\)".*/\\1/')
until printf '%s' "$run" | grep -q '"state":"done"'; do
  run=$(call "$service/runs/$id?wait=30") || exit 2
done
printf '%s\\n' "$run"
printf '%s' "$run" | grep '"outcome":"success"' | grep -q '"skippedAgents":\\[\\]'`
