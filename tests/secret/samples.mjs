// SPDX-License-Identifier: Apache-2.0
// Tokens as their issuers make them, by the published forms: prefix, alphabet and length. Nothing of stdlib/tokens.policy
// is read here. A number behind a kind tells forms of one kind apart.
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const lower = upper.toLowerCase();
const digits = "0123456789";
const hex = "0123456789abcdef";
const alnum = upper + lower + digits;
const url = alnum + "-_";
const base64 = alnum + "+/";
const base32 = upper + "234567";

export const samples = {
  github_token1: (r) => `ghp_${r(36, alnum)}`,
  github_token2: (r) => `gho_${r(36, alnum)}`,
  github_token3: (r) => `ghu_${r(36, alnum)}`,
  github_token4: (r) => `ghr_${r(76, alnum)}`,
  github_token5: (r) => `ghs_${r(36, alnum)}`,
  github_token6: (r) => `ghs_${r(6, digits)}_eyJ${r(60, url)}.eyJ${r(300, url)}.${r(150, alnum)}`,
  github_pat: (r) => `github_pat_${r(22, alnum)}_${r(59, alnum)}`,
  anthropic_key1: (r) => `sk-ant-api03-${r(93, url)}AA`,
  anthropic_key2: (r) => `sk-ant-admin01-${r(93, url)}AA`,
  openai_key1: (r) => `sk-${r(20, alnum)}T3BlbkFJ${r(20, alnum)}`,
  openai_key2: (r) => `sk-proj-${r(74, url)}T3BlbkFJ${r(74, alnum)}`,
  slack_token1: (r) => `xoxb-${r(12, digits)}-${r(13, digits)}-${r(24, alnum)}`,
  slack_token2: (r) => `xapp-1-A${r(10, upper)}-${r(13, digits)}-${r(64, hex)}`,
  aws_access_key1: (r) => `AKIA${r(16, base32)}`,
  aws_access_key2: (r) => `ASIA${r(16, base32)}`,
  json_web_token: (r) => `eyJ${r(33, url)}.eyJ${r(80, url)}.${r(42, url)}a`,
  private_key1: () => "-----BEGIN RSA PRIVATE KEY-----",
  private_key2: () => "-----BEGIN OPENSSH PRIVATE KEY-----",
  private_key3: () => "-----BEGIN PRIVATE KEY-----",
  slack_webhook: (r) => `hooks.slack.com/services/T${r(10, upper + digits)}/B${r(10, upper + digits)}/${r(23, alnum)}a`,
  teams_webhook1: (r) => `contoso.webhook.office.com/webhookb2/${r(36, hex)}@${r(36, hex)}/IncomingWebhook/${r(32, hex)}/${r(36, hex)}`,
  teams_webhook2: (r) => `prod-12.westeurope.logic.azure.com:443/workflows/${r(32, hex)}/triggers/manual/paths/invoke?sp=1&sig=${r(43, url)}`,
  npm_token: (r) => `npm_${r(36, alnum)}`,
  gitlab_token: (r) => `glpat-${r(20, url)}`,
  discord_webhook: (r) => `discord.com/api/webhooks/${r(18, digits)}/${r(68, url)}`,
  google_key1: (r) => `AIza${r(35, url)}`,
  google_key2: (r) => `GOCSPX-${r(28, url)}`,
  azure_secret: (r) => `${r(3, alnum)}8Q~${r(34, alnum)}`,
  grafana_token: (r) => `glsa_${r(32, alnum)}_${r(8, hex)}`,
  atlassian_token: (r) => `ATATT3${r(180, url)}=${r(8, hex).toUpperCase()}`,
  stripe_key: (r) => `sk_live_${r(24, alnum)}`,
  sendgrid_key: (r) => `SG.${r(22, url)}.${r(43, url)}`,
  digitalocean_token: (r) => `dop_v1_${r(64, hex)}`,
  docker_token: (r) => `dckr_pat_${r(27, url)}`,
  hugging_face_token: (r) => `hf_${r(34, upper + lower)}`,
  vault_token: (r) => `hvs.${r(90, url)}`,
  pypi_token: (r) => `pypi-AgEIcHlwaS5vcmc${r(120, url)}`,
  rubygems_key: (r) => `rubygems_${r(48, hex)}`,
  shopify_token: (r) => `shpat_${r(32, hex)}`,
  sentry_token: (r) => `sntrys_${r(120, base64)}`,
  linear_key: (r) => `lin_api_${r(40, alnum)}`,
  notion_token: (r) => `ntn_${r(11, digits)}${r(35, alnum)}`,
  model_key1: (r) => `gsk_${r(52, alnum)}`,
  model_key2: (r) => `xai-${r(80, alnum)}`,
  model_key3: (r) => `pplx-${r(48, alnum)}`,
  model_key4: (r) => `r8_${r(37, alnum)}`,
  databricks_token: (r) => `dapi${r(32, hex)}`,
  postman_key: (r) => `PMAK-${r(24, hex)}-${r(34, hex)}`,
  pulumi_token: (r) => `pul-${r(40, hex)}`,
  doppler_token: (r) => `dp.pt.${r(43, alnum)}`,
  fly_token: (r) => `fm2_${r(120, base64)}`,
  figma_token: (r) => `figd_${r(40, url)}`,
  artifactory_token: (r) => `AKCp${r(69, alnum)}`,
  age_key: (r) => `AGE-SECRET-KEY-1${r(58, upper + digits)}`,
  tailscale_key: (r) => `tskey-auth-${r(11, alnum)}CNTRL-${r(32, alnum)}`,
  new_relic_key: (r) => `NRAK-${r(27, upper + digits)}`,
  planetscale_token: (r) => `pscale_tkn_${r(43, url)}`,
  crates_token: (r) => `cio${r(32, alnum)}`,
  telegram_token: (r) => `${r(10, "123456789")}:AA${r(32, url)}a`,
};
