// "What fits?" in the browser: asked by form, by flavor and by address, and what it says when nothing fits.
import { expect, test } from 'vitest';
import { expectQuiet } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open } = useDemoGateway();

test('the form asks, the address keeps the request, and the number is that of the API', async () => {
  const observed = await open('/fit');
  const { page } = observed;
  await page.getByLabel('Amount of VCPU').fill('4');
  await page.getByRole('button', { name: '+ class' }).click();
  await page.getByLabel('Resource class').last().fill('MEMORY_MB');
  await page.getByLabel('Amount of MEMORY_MB').fill('8192');
  await page.getByLabel('Traits', { exact: true }).fill('-COMPUTE_STATUS_DISABLED');
  await page.keyboard.press('Enter');
  await page.getByText('not COMPUTE_STATUS_DISABLED').waitFor();
  await page.getByRole('button', { name: 'Show what fits' }).click();
  await page.getByText('claimed one after another').waitFor();
  expect(new URL(page.url()).search).toBe('?r=VCPU:4,MEMORY_MB:8192&t=-COMPUTE_STATUS_DISABLED');

  const { fit } =
    await ask(`{ fit(input: { groups: { resources: [{ resourceClass: "VCPU", amount: 4 }, { resourceClass: "MEMORY_MB", amount: 8192 }],
    traits: { noneOf: "COMPUTE_STATUS_DISABLED" } } }) { total exact } }`);
  const verdict = page.getByRole('status').filter({ hasText: 'claimed one after another' });
  expect(await verdict.innerText()).toContain(fit.total.toLocaleString('en'));
  expect((await verdict.innerText()).includes('At least')).toBe(!fit.exact);
  await page.getByRole('heading', { name: /^Candidates/ }).waitFor();
  expectQuiet(observed);
});

test('if none fits, it shows what ruled the trees out, and what would help can be tried', async () => {
  const observed = await open('/fit?r=VCPU:4,VGPU:900');
  const { page } = observed;
  await page.getByText('None fits.').waitFor();
  await page.getByRole('heading', { name: 'What ruled the trees out' }).waitFor();
  await page.getByText(/▲ −\d/).waitFor();
  const question = page.url();
  await page
    .getByRole('button', { name: /^Try it/ })
    .first()
    .click();
  await page.getByText('claimed one after another').waitFor();
  expect(page.url()).not.toBe(question);
  await page.goBack();
  await page.getByText('None fits.').waitFor();
  expectQuiet(observed);
});

test('a flavor is pasted, and its request is shown as GraphQL that leads to the explorer', async () => {
  const observed = await open('/fit');
  const { page } = observed;
  await page.getByText('Paste a flavor').click();
  await page
    .getByRole('textbox', { name: /openstack flavor show/ })
    .fill('{"vcpus": 2, "ram": 4096, "disk": 20, "properties": {"trait:HW_CPU_X86_AVX2": "required"}}');
  await page.getByRole('button', { name: 'Use this flavor' }).click();
  await page.getByText('claimed one after another').waitFor();
  const address = decodeURIComponent(new URL(page.url()).search);
  for (const part of ['VCPU:2', 'MEMORY_MB:4096', 'DISK_GB:20', 'HW_CPU_X86_AVX2']) expect(address).toContain(part);
  await page.getByText('As GraphQL').click();
  const link = new URL((await page.getByRole('link', { name: 'Open in the explorer' }).getAttribute('href')) ?? '', page.url());
  expect(new URLSearchParams(link.hash.slice(1)).get('query')).toContain('resourceClass: "VCPU", amount: 2');
  expectQuiet(observed);
});

test('a refusal is shown in the words of the gateway', async () => {
  const { page } = await open('/fit?r=CUSTOM_NOTHING:1');
  await page
    .getByRole('region', { name: 'What fits' })
    .getByText(/CUSTOM_NOTHING/)
    .first()
    .waitFor();
});
