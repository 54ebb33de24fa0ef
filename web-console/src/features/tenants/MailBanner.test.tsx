import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { MailStatus } from '@/api/generated';
import { at, server, setUpTestServer } from '@/testing/server';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { MailBanner } from './MailBanner';

setUpTestServer();

const fine: MailStatus = { configured: true, waiting: 0, failing: 0, failure: '' };
const failing: MailStatus = {
  configured: true,
  waiting: 12,
  failing: 3,
  failing_since: '2026-11-28T06:00:00Z',
  failure: '535',
};

async function shown(status: MailStatus) {
  let asked = 0;
  server.use(
    http.get(at('/api/v1/mail-status'), () => {
      asked += 1;
      return HttpResponse.json(status);
    }),
  );
  renderAt(<MailBanner />, '/', createStore());
  await expect.poll(() => asked).toBe(1);
}

describe('the banner of mail', () => {
  it('says what owners can mend, and how many emails wait', async () => {
    await shown(failing);
    expect((await screen.findByTestId('mail-banner')).textContent).toMatch(/menolak login Armada \(535\).*12 email/);
  });

  it('says that nobody answers, or what was answered', async () => {
    await shown({ ...failing, failure: 'no_answer' });
    expect((await screen.findByTestId('mail-banner')).textContent).toMatch(/tidak menjawab/);
  });

  it('says that the server has shown a certificate which is not accepted, and what is wrong with it', async () => {
    await shown({ ...failing, failure: 'certificate_expired' });
    const banner = await screen.findByTestId('mail-banner');
    expect(banner.textContent).toMatch(/sertifikat server email \(certificate_expired\)/);
  });

  it('is not there while mail goes out', async () => {
    await shown(fine);
    expect(screen.queryByTestId('mail-banner')).toBeNull();
  });
});
