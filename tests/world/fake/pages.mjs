// SPDX-License-Identifier: Apache-2.0
//
// Pages as GitHub gives them: 30 elements unless asked for more, at most 100, and a Link header whose
// addresses begin with /repositories/{id}. Recorded in the scenario paginate-issues of
// @octokit/fixtures.

export const PER_PAGE = 30;
export const PER_PAGE_MAX = 100;

const whole = (text, otherwise) => (/^\d+$/.test(text ?? '') && Number(text) > 0 ? Number(text) : otherwise);

// `address`: where the list stands, without its query; `search`: the query as it came.
export function cut(list, address, search) {
    const asked = new URLSearchParams(search);
    const size = Math.min(whole(asked.get('per_page'), PER_PAGE), PER_PAGE_MAX);
    const page = whole(asked.get('page'), 1);
    const last = Math.max(1, Math.ceil(list.length / size));
    const link = (number, rel) => {
        const query = new URLSearchParams(search);
        query.set('page', String(number));
        return `<${address}?${query}>; rel="${rel}"`;
    };
    const links = [];
    if (page > 1) {
        links.push(link(Math.min(page - 1, last), 'prev'));
    }
    if (page < last) {
        links.push(link(page + 1, 'next'), link(last, 'last'));
    }
    if (page > 1) {
        links.push(link(1, 'first'));
    }
    return {
        items: list.slice((page - 1) * size, page * size),
        link: links.length > 0 ? links.join(', ') : null,
    };
}
