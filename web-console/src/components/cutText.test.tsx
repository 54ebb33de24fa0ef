import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderAt } from '@/testing/render';
import { CutText } from './CutText';

async function show(width: number) {
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(width);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(100);
  renderAt(
    <>
      <button type="button">
        <span data-cut>a name too long for its place</span>
      </button>
      <CutText />
    </>,
    '/',
  );
  // The router may draw a moment later.
  await screen.findByRole('button');
}
const text = 'a name too long for its place';

describe('a text that is cut', () => {
  it('is shown whole where the keyboard is, and not beyond', async () => {
    await show(200);
    await userEvent.tab();
    await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2));
    await userEvent.tab();
    await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(1));
  });

  it('is shown whole under the pointer', async () => {
    await show(200);
    await userEvent.hover(screen.getByText(text));
    expect(screen.getByText(text).title).toBe(text);
  });

  it('is left alone where it has room', async () => {
    await show(100);
    await userEvent.hover(screen.getByText(text));
    await userEvent.tab();
    expect(screen.getByText(text).title).toBe('');
  });
});
